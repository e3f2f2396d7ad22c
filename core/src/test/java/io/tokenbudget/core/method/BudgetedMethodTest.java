package io.tokenbudget.core.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.TokenBudget;
import java.lang.reflect.Method;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What @TokenBudget on a method says, and which wrong use is refused before the method is ever called")
class BudgetedMethodTest {

    record Customer(@Nullable String id, boolean vip) {}

    @SuppressWarnings("unused")
    static class Order {
        public final String region = "eu";

        public String getTenantId() {
            return "acme";
        }

        public Customer customer() {
            return new Customer("c-7", true);
        }

        public boolean isUrgent() {
            return true;
        }

        public String broken() {
            throw new IllegalArgumentException("no row");
        }
    }

    interface Priced {
        String price();
    }

    /** Not public, as an application's often are; its interface is not either. */
    private static final class Offer implements Priced {
        @Override
        public String price() {
            return "12";
        }
    }

    @SuppressWarnings({"unused", "UnusedVariable"})
    static class Right {
        @TokenBudget(agent = "planner", tenant = "{order.tenantId}", user = "{order.customer.id}", plan = "{2}")
        String properties(Order order, Map<String, Object> values, String plan) {
            return "";
        }

        @TokenBudget(project = "{order.region}-{order.urgent}/{order.customer.vip}", workspace = "{values.workspace}")
        void mixed(Order order, Map<String, Object> values) {}

        @TokenBudget(tool = "{offer.price}", runId = "{any.customer.id}", idempotencyKey = " k-{ 0.price } ")
        void hidden(Offer offer, Object any) {}

        @TokenBudget(
                agent = "a",
                maxTokens = 50_000,
                limits = {"20 requests per 1h", "5k tokens per 1h"})
        void ceilings() {}

        @TokenBudget(agent = "a", user = "{order.broken}")
        void broken(Order order) {}

        @TokenBudget(agent = "a", fallback = "instead")
        String withFallback(String question, int times) {
            return "";
        }

        private String instead(String question, int times) {
            return "instead of " + question;
        }

        @TokenBudget(agent = "a", fallback = "why")
        Object withReason(String question) {
            return "";
        }

        static String why(CharSequence question, LimitExceededException refused) {
            return question + ": " + refused.scope();
        }
    }

    @SuppressWarnings({"unused", "UnusedVariable"})
    static class Wrong {
        @TokenBudget(tenant = "{ordr.tenantId}")
        void parameter(Order order) {}

        @TokenBudget(tenant = "{order.tenant}")
        void property(Order order) {}

        @TokenBudget(tenant = "{order.}")
        void empty(Order order) {}

        @TokenBudget(tenant = "{1}")
        void position(Order order) {}

        @TokenBudget(tenant = "{order")
        void brace(Order order) {}

        @TokenBudget(tenant = "{x}")
        void none() {}

        @TokenBudget(maxTokens = 0)
        void ceiling() {}

        @TokenBudget(maxTokens = -5)
        void negative() {}

        @TokenBudget(maxCost = "$0.50 per 1h")
        void money() {}

        @TokenBudget(maxTokens = 100, reserve = 101)
        void reserve() {}

        @TokenBudget(agent = "a", limits = "20 requests an hour")
        void limit() {}

        @TokenBudget(
                agent = "a",
                limits = {"20 requests per 1h", "30 requests per 60m"})
        void twice() {}

        @TokenBudget(limits = "20 requests per 1h")
        void nobodys() {}

        @TokenBudget(agent = "a", fallback = "gone")
        String fallback(String question) {
            return "";
        }

        @TokenBudget(agent = "a", fallback = "other")
        String misfit(String question) {
            return "";
        }

        String other(int question) {
            return "";
        }

        int other(String question) {
            return 0;
        }

        @TokenBudget(agent = "a", fallback = "other")
        static int still(String question) {
            return 0;
        }
    }

    @Test
    void saysWhoCallsByTheArguments() {
        assertThat(context("properties", new Order(), Map.of(), "pro"))
                .isEqualTo(BudgetContext.builder()
                        .agent("planner")
                        .tenant("acme")
                        .user("c-7")
                        .plan("pro")
                        .build());
        assertThat(context("mixed", new Order(), Map.of("workspace", 7)))
                .isEqualTo(BudgetContext.builder()
                        .project("eu-true/true")
                        .workspace("7")
                        .build());
        assertThat(context("hidden", new Offer(), new Order()))
                .isEqualTo(BudgetContext.builder()
                        .tool("12")
                        .runId("c-7")
                        .idempotencyKey(" k-12 ")
                        .build());
    }

    @Test
    void saysNothingWhereAnArgumentOrAPropertyHasNoValue() {
        assertThat(context("properties", null, Map.of(), " ").dimensions())
                .containsExactly(Map.entry("agent", "planner"));
        assertThat(context("mixed", null, Map.of())).isEqualTo(BudgetContext.EMPTY);
        assertThat(context("hidden", null, Map.of("customer", new Customer(null, false))))
                .isEqualTo(BudgetContext.EMPTY);
    }

    @Test
    void C9_aGetterThatThrowsSaysNothingAndIsReported() {
        assertThat(context("broken", new Order()).dimensions()).containsExactly(Map.entry("agent", "a"));
    }

    @Test
    void refusesAtTheFirstCallWhatOnlyTheArgumentShows() {
        assertThatThrownBy(() -> context("hidden", new Offer(), "text"))
                .isInstanceOf(InvalidTokenBudgetException.class)
                .hasMessageContaining("Right.hidden(Offer, Object)")
                .hasMessageContaining(
                        "runId = \"{any.customer.id}\": java.lang.String has no readable property customer");
    }

    @Test
    void keepsWhatTheRunMayUse() {
        BudgetedMethod method = method(Right.class, "ceilings");
        assertThat(method.ceilings()).extracting(limit -> limit.amount()).containsExactly(50_000L);
        assertThat(method.limited()).isEqualTo("agent");
        assertThat(method.limits())
                .extracting(limit -> limit.text())
                .containsExactly("20 requests per 1h", "5k tokens per 1h");
    }

    @Test
    void callsTheFallbackWithTheArgumentsAndTheRefusal() throws Throwable {
        LimitExceededException refused =
                new LimitExceededException("no", "agent:a", "1 tokens", 5, 0, null, RefusalReason.NEVER_FITS);
        Fallback plain =
                Objects.requireNonNull(method(Right.class, "withFallback").fallback());
        Fallback withReason =
                Objects.requireNonNull(method(Right.class, "withReason").fallback());
        assertThat(plain.call(new Right(), new Object[] {"tea", 2}, refused)).isEqualTo("instead of tea");
        assertThat(withReason.call(new Right(), new Object[] {"tea"}, refused)).isEqualTo("tea: agent:a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "parameter | found tenant = \"{ordr.tenantId}\": no parameter ordr; allowed: order",
                "property  | Order has no readable property tenant; a property is a public method tenant(), getTenant()",
                "empty     | found tenant = \"{order.}\": a property without a name",
                "position  | found tenant = \"{1}\": no parameter 1; allowed: order",
                "brace     | found tenant = \"{order\": a brace without its other half",
                "none      | found tenant = \"{x}\": no parameter x; the method has no parameters",
                "ceiling   | found maxTokens = 0; allowed: 1 to 9007199254740991",
                "negative  | found maxTokens = -5; allowed: 1 to 9007199254740991",
                "money     | found maxCost = \"$0.50 per 1h\"; allowed: an amount of money above 0, such as $0.50",
                "reserve   | found reserve = 101; allowed: 0 to maxTokens, which is 100",
                "limit     | in limits found \"20 requests an hour\": ",
                "twice     | found limits \"20 requests per 1h\" and \"30 requests per 60m\"; allowed: one for each unit",
                "nobodys   | found limits, but nothing that they are for; name one of tool, agent",
                "fallback  | Wrong has none of that name; allowed: String gone(String), or the same with a Limit",
                "misfit    | Wrong has String other(int); int other(String); allowed: String other(String)",
                "still     | allowed: static int other(String)",
            })
    void refusesWrongUseWithClassMethodAndRemedy(String name, String message) {
        assertThatThrownBy(() -> method(Wrong.class, name))
                .isInstanceOf(InvalidTokenBudgetException.class)
                .hasMessageStartingWith("@TokenBudget on " + Wrong.class.getName() + "." + name + "(")
                .hasMessageContaining(message.trim());
    }

    @Test
    void saysHowToCompileWhereTheNamesOfParametersAreNotKept() {
        Method method = declared(Right.class, "properties");
        AnnotationValues values = AnnotationValues.of(method.getAnnotation(TokenBudget.class));
        List<@Nullable String> unknown = Arrays.asList(null, null, null);
        MethodSignature signature = MethodSignature.of(method, unknown);
        assertThatThrownBy(() -> BudgetedMethod.of(signature, Right.class, values, name -> List.of(), ZoneOffset.UTC))
                .hasMessageContaining("compile with javac -parameters, or write its position, {0} for the first");
    }

    private static BudgetContext context(String name, @Nullable Object... arguments) {
        List<String> faults = new ArrayList<>();
        BudgetContext context = method(Right.class, name)
                .context(arguments, (where, thrown) -> faults.add(where + ": " + thrown.getMessage()));
        assertThat(faults)
                .isEqualTo(
                        name.equals("broken")
                                ? List.of("reading what @TokenBudget on "
                                        + MethodSignature.of(declared(Right.class, name))
                                        + " refers to: broken threw java.lang.IllegalArgumentException: no row")
                                : List.of());
        return context;
    }

    private static BudgetedMethod method(Class<?> type, String name) {
        Method method = declared(type, name);
        AnnotationValues values = AnnotationValues.of(method.getAnnotation(TokenBudget.class));
        return BudgetedMethod.of(method, type, values, ZoneOffset.UTC);
    }

    private static Method declared(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .filter(method -> method.isAnnotationPresent(TokenBudget.class))
                .findFirst()
                .orElseThrow();
    }
}
