package io.tokenbudget.core.method;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.IdentityValue;
import io.tokenbudget.core.config.LimitParser;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Window;
import java.lang.reflect.Method;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One method with a {@link io.tokenbudget.TokenBudget}, checked and ready to be called often. Immutable.
 */
public final class BudgetedMethod {
    /** Narrowest first: where limits that are declared in code belong. */
    private static final List<String> NARROWEST = List.of("tool", "agent", "user", "project", "workspace", "tenant");

    private final MethodSignature method;
    private final Map<String, Template> dimensions = new LinkedHashMap<>();
    private final @Nullable Template plan;
    private final @Nullable Template idempotencyKey;
    private final List<Limit> ceilings;
    private final long reserve;
    private final List<Limit> limits;
    private final @Nullable String limited;
    private final @Nullable Fallback fallback;
    private final boolean ofType;

    private BudgetedMethod(
            MethodSignature method, AnnotationValues values, Function<String, Fallback> fallbacks, ZoneId zone) {
        this.method = method;
        dimension("agent", "agent", values.agent());
        dimension("tenant", "tenant", values.tenant());
        dimension("user", "user", values.user());
        dimension("project", "project", values.project());
        dimension("workspace", "workspace", values.workspace());
        dimension("tool", "tool", values.tool());
        dimension("run", "runId", values.runId());
        this.plan = template("plan", values.plan());
        this.idempotencyKey = template("idempotencyKey", values.idempotencyKey());
        this.ceilings = ceilings(values);
        this.reserve = reserve(values);
        this.limits = limits(values, zone);
        this.limited = limits.isEmpty() ? null : narrowest();
        this.fallback = values.fallback().isBlank() ? null : fallbacks.apply(values.fallback());
        this.ofType = false;
    }

    /** The same by an annotation of its type. */
    private BudgetedMethod(BudgetedMethod itself) {
        this.method = itself.method;
        this.dimensions.putAll(itself.dimensions);
        this.plan = itself.plan;
        this.idempotencyKey = itself.idempotencyKey;
        this.ceilings = itself.ceilings;
        this.reserve = itself.reserve;
        this.limits = itself.limits;
        this.limited = itself.limited;
        this.fallback = itself.fallback;
        this.ofType = true;
    }

    /**
     * @param method the method that is called, not a bridge
     * @param target the class of the object it is called on; its declaring class for a static one
     * @param zone of calendar windows
     * @throws InvalidTokenBudgetException if the annotation cannot mean what is written
     */
    public static BudgetedMethod of(Method method, Class<?> target, AnnotationValues values, ZoneId zone) {
        return of(MethodSignature.of(method), target, values, fallback -> CallableMethod.of(target, fallback), zone);
    }

    /** By what {@link Annotations} has found. */
    static BudgetedMethod of(Method method, Class<?> target, Annotations.Found found, ZoneId zone) {
        BudgetedMethod itself = of(method, target, found.values(), zone);
        return found.ofType() ? itself.ofItsType() : itself;
    }

    /** The same by an annotation of its type, which says nothing of the calls that an object makes of itself. */
    public BudgetedMethod ofItsType() {
        return new BudgetedMethod(this);
    }

    /**
     * For those that know methods otherwise than by reflection.
     *
     * @param method the method that is called, not a bridge
     * @param target the class of the object it is called on; its declaring class for a static one
     * @param named the methods of {@code target} that have a name
     * @param zone of calendar windows
     * @throws InvalidTokenBudgetException if the annotation cannot mean what is written
     */
    public static BudgetedMethod of(
            MethodSignature method,
            Class<?> target,
            AnnotationValues values,
            Function<String, List<CallableMethod>> named,
            ZoneId zone) {
        for (Class<?> parameter : method.parameterTypes()) {
            if (parameter.getName().equals("kotlin.coroutines.Continuation")) {
                throw InvalidTokenBudgetException.on(
                        method,
                        "a suspend function returns before it has ended, and nobody is told when it has; annotate the"
                                + " blocking function that calls it, or open a BudgetContext in the coroutine");
            }
        }
        return new BudgetedMethod(
                method, values, fallback -> Fallback.find(method, target, fallback, named.apply(fallback)), zone);
    }

    private void dimension(String dimension, String attribute, String text) {
        Template template = template(attribute, text);
        if (template != null) {
            dimensions.put(dimension, template);
        }
    }

    private @Nullable Template template(String attribute, String text) {
        return text.isBlank() ? null : Template.compile(method, attribute, text);
    }

    private List<Limit> ceilings(AnnotationValues values) {
        List<Limit> ceilings = new ArrayList<>();
        mostTokens(values).ifPresent(ceilings::add);
        mostMoney(values).ifPresent(ceilings::add);
        return List.copyOf(ceilings);
    }

    private Optional<Limit> mostMoney(AnnotationValues values) {
        String text = values.maxCost().strip();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Limit limit;
        try {
            limit = LimitParser.parse(text, ZoneOffset.UTC);
        } catch (IllegalArgumentException invalid) {
            throw InvalidTokenBudgetException.on(method, "in maxCost " + invalid.getMessage());
        }
        boolean oneRun = limit.unit() == LimitUnit.USD && limit.window() instanceof Window.Lifetime;
        if (!oneRun || limit.amount() == 0) {
            throw InvalidTokenBudgetException.on(
                    method, "found maxCost = \"" + text + "\"; allowed: an amount of money above 0, such as $0.50");
        }
        return Optional.of(limit);
    }

    private Optional<Limit> mostTokens(AnnotationValues values) {
        long most = values.maxTokens();
        if (most == Long.MAX_VALUE) {
            return Optional.empty();
        }
        if (most <= 0 || most > Limit.MAX_AMOUNT) {
            throw InvalidTokenBudgetException.on(
                    method, "found maxTokens = " + most + "; allowed: 1 to " + Limit.MAX_AMOUNT);
        }
        return Optional.of(new Limit(most, LimitUnit.TOKENS, Window.Lifetime.INSTANCE, most + " tokens"));
    }

    private long reserve(AnnotationValues values) {
        long reserve = values.reserve();
        if (reserve < 0 || reserve > Math.min(values.maxTokens(), Limit.MAX_AMOUNT)) {
            throw InvalidTokenBudgetException.on(
                    method,
                    "found reserve = " + reserve + "; allowed: 0 to "
                            + (values.maxTokens() == Long.MAX_VALUE
                                    ? Limit.MAX_AMOUNT + ""
                                    : "maxTokens, which is " + values.maxTokens()));
        }
        return reserve;
    }

    private List<Limit> limits(AnnotationValues values, ZoneId zone) {
        Map<List<Object>, Limit> limits = new LinkedHashMap<>();
        for (String text : values.limits()) {
            Limit limit;
            try {
                limit = LimitParser.parse(text, zone);
            } catch (IllegalArgumentException invalid) {
                throw InvalidTokenBudgetException.on(method, "in limits " + invalid.getMessage());
            }
            Limit other = limits.put(List.of(limit.unit(), limit.window()), limit);
            if (other != null) {
                throw InvalidTokenBudgetException.on(
                        method,
                        "found limits \"" + other.text() + "\" and \"" + text
                                + "\"; allowed: one for each unit and window");
            }
        }
        return List.copyOf(limits.values());
    }

    private String narrowest() {
        for (String dimension : NARROWEST) {
            if (dimensions.containsKey(dimension)) {
                return dimension;
            }
        }
        throw InvalidTokenBudgetException.on(
                method,
                "found limits, but nothing that they are for; name one of tool, agent, user, project, workspace,"
                        + " tenant");
    }

    /** The method. */
    public MethodSignature method() {
        return method;
    }

    /**
     * Who calls, by these arguments; a text that refers to something without a value, or to a getter that throws, says
     * nothing.
     *
     * @param faults hears of each getter that throws
     * @throws InvalidTokenBudgetException if it refers to what an argument turns out not to have
     */
    BudgetContext context(@Nullable Object[] arguments, BiConsumer<String, Throwable> faults) {
        BudgetContext.Builder context = BudgetContext.builder();
        for (Map.Entry<String, Template> dimension : dimensions.entrySet()) {
            String value = value(dimension.getValue(), arguments, faults);
            if (value != null) {
                context.dimension(dimension.getKey(), value);
            }
        }
        String itsPlan = plan == null ? null : value(plan, arguments, faults);
        if (itsPlan != null) {
            context.plan(itsPlan);
        }
        String itsKey = idempotencyKey == null ? null : value(idempotencyKey, arguments, faults);
        if (itsKey != null) {
            context.idempotencyKey(itsKey);
        }
        return context.build();
    }

    private @Nullable String value(
            Template template, @Nullable Object[] arguments, BiConsumer<String, Throwable> faults) {
        try {
            return IdentityValue.of(template.of(arguments));
        } catch (InvalidTokenBudgetException wrongUse) {
            throw wrongUse;
        } catch (RuntimeException | Error thrown) {
            faults.accept("reading what @TokenBudget on " + method + " refers to", thrown);
            return null;
        }
    }

    /** Whether this is by an annotation of its type, which says nothing of the calls that the type makes of itself. */
    boolean isOfType() {
        return ofType;
    }

    /** What one run may use at most; empty for no ceiling. */
    List<Limit> ceilings() {
        return ceilings;
    }

    /** Tokens to hold for the whole run up front. */
    long reserve() {
        return reserve;
    }

    /** Whether the method says what it has used. */
    boolean returnsUsage() {
        return ReturnedUsage.is(method.returnType());
    }

    /** Limits declared in code, for {@link #limited}. */
    List<Limit> limits() {
        return limits;
    }

    /** The dimension that {@link #limits} are for; null if there are none. */
    @Nullable
    String limited() {
        return limited;
    }

    /** What to call instead when a limit refuses, or null. */
    @Nullable
    Fallback fallback() {
        return fallback;
    }
}
