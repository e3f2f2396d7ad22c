package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallerSource;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The application has its own copy of token-budget-annotations, in a loader that does not see ours. */
class ApplicationApiTest {
    private final LimitExceededException refusal = new LimitExceededException(
            "tenant:acme: limit reached",
            "tenant:acme",
            "100 tokens per 1h",
            40,
            25,
            Duration.ofSeconds(90),
            RefusalReason.LIMIT_REACHED);

    private final List<String> lines = new ArrayList<>();
    private final URLClassLoader application = new URLClassLoader(
            new URL[] {TokenBudgets.class.getProtectionDomain().getCodeSource().getLocation()},
            ClassLoader.getPlatformClassLoader());

    @AfterEach
    void close() throws Exception {
        application.close();
    }

    private Class<?> theirs(Class<?> ours) throws ClassNotFoundException {
        Class<?> theirs = application.loadClass(ours.getName());
        assertThat(theirs).isNotSameAs(ours);
        return theirs;
    }

    @Test
    void readsTheContextThatTheApplicationOpened() throws Exception {
        Object builder = theirs(BudgetContext.class).getMethod("builder").invoke(null);
        Class<?> builderType = theirs(BudgetContext.Builder.class);
        builderType.getMethod("tenant", String.class).invoke(builder, "acme");
        builderType.getMethod("dimension", String.class, String.class).invoke(builder, "team", "blue");
        builderType.getMethod("plan", String.class).invoke(builder, "pro");
        builderType.getMethod("idempotencyKey", String.class).invoke(builder, "k1");
        Object context = builderType.getMethod("build").invoke(builder);
        ApplicationApi api = ApplicationApi.seenBy(application, new LoadedApis(lines::add));

        try (AutoCloseable scope = (AutoCloseable) theirs(TokenBudgets.class)
                .getMethod("open", theirs(BudgetContext.class))
                .invoke(null, context)) {
            assertThat(scope).isNotNull();
            assertThat(api.current())
                    .isEqualTo(BudgetContext.builder()
                            .tenant("acme")
                            .dimension("team", "blue")
                            .plan("pro")
                            .idempotencyKey("k1")
                            .build());
        }
        assertThat(api.current()).isSameAs(BudgetContext.EMPTY);
        assertThat(lines).isEmpty();
    }

    @Test
    void C10_readsAContextThatAFrameworkCarriesAndShowsTheApplicationOurs() throws Exception {
        ApplicationApi api = ApplicationApi.seenBy(application, new LoadedApis(lines::add));
        Object run = new Object();
        Object request = new Object();
        BudgetContext context = BudgetContext.builder()
                .tenant("acme")
                .dimension("team", "blue")
                .plan("pro")
                .idempotencyKey("k1")
                .run(run)
                .request(request)
                .build();
        Object shown;
        try (CallerSource.Scope scope = api.open(context)) {
            assertThat(scope).isNotSameAs(CallerSource.Scope.NOTHING);
            shown = theirs(TokenBudgets.class).getMethod("current").invoke(null);
            assertThat(api.current())
                    .isEqualTo(context)
                    .extracting(BudgetContext::run, BudgetContext::request)
                    .containsExactly(run, request);
        }

        assertThat(api.current()).isSameAs(BudgetContext.EMPTY);
        assertThat(api.contextIn(shown))
                .isEqualTo(context)
                .extracting(BudgetContext::run)
                .isSameAs(run);
        assertThat(api.carried(context))
                .isInstanceOf(shown.getClass())
                .satisfies(carried -> assertThat(api.contextIn(carried))
                        .extracting(BudgetContext::run, BudgetContext::request)
                        .containsExactly(run, request));
        assertThat(api.contextIn(context)).as("of another loader").isNull();
        assertThat(api.contextIn(null)).isNull();
        assertThat(api.contextIn("tenant")).isNull();
    }

    @Test
    void refusesWithTheApplicationsOwnException() throws Exception {
        RuntimeException thrown =
                ApplicationApi.seenBy(application, new LoadedApis(lines::add)).toThrow(refusal);

        assertThat(thrown).isInstanceOf(theirs(LimitExceededException.class)).hasMessage(refusal.getMessage());
        assertThat(read(thrown, "scope")).isEqualTo("tenant:acme");
        assertThat(read(thrown, "limit")).isEqualTo("100 tokens per 1h");
        assertThat(read(thrown, "requested")).isEqualTo(40L);
        assertThat(read(thrown, "remaining")).isEqualTo(25L);
        assertThat(read(thrown, "retryAfter")).isEqualTo(Duration.ofSeconds(90));
        assertThat(read(thrown, "reason")).hasToString("LIMIT_REACHED");
    }

    @Test
    void aRefusalForEverHasNoRetryAfter() throws Exception {
        RuntimeException thrown = ApplicationApi.seenBy(application, new LoadedApis(lines::add))
                .toThrow(new LimitExceededException("m", "s", "l", 2, 1, null, RefusalReason.NEVER_FITS));

        assertThat(read(thrown, "retryAfter")).isNull();
        assertThat(read(thrown, "reason")).hasToString("NEVER_FITS");
    }

    @Test
    void aRefusalsTraceBeginsInTheApplication() {
        RuntimeException theirs =
                ApplicationApi.seenBy(application, new LoadedApis(lines::add)).toThrow(refusal);
        RuntimeException ours = ApplicationRefusals.ours().toThrow(refusal);

        for (RuntimeException made : List.of(theirs, ours)) {
            assertThat(made.getStackTrace()).isNotEmpty();
            assertThat(made.getStackTrace()[0].getClassName()).doesNotStartWith("io.tokenbudget.");
        }
    }

    /** A web application with the annotations, on a framework in a loader above it. */
    @Test
    void C10_readsWhatIsOpenInALoaderThatTheFrameworkDoesNotSeeAndRefusesWithItsException() throws Exception {
        LoadedApis loaded = new LoadedApis(lines::add);
        loaded.loaded(application);
        loaded.loaded(application);
        ApplicationApi api = ApplicationApi.seenBy(ClassLoader.getPlatformClassLoader(), loaded);
        assertThat(api.current()).isSameAs(BudgetContext.EMPTY);
        assertThat(api.toThrow(refusal)).as("of the only one").isInstanceOf(theirs(LimitExceededException.class));
        try (URLClassLoader another = new URLClassLoader(application.getURLs(), ClassLoader.getPlatformClassLoader())) {
            loaded.loaded(another);
            assertThat(api.toThrow(refusal)).as("of either").isSameAs(refusal);
            assertThat(asOn(another, () -> api.toThrow(refusal)))
                    .isInstanceOf(another.loadClass(LimitExceededException.class.getName()));

            BudgetContext context = BudgetContext.builder().tenant("acme").build();
            ApplicationApi web = ApplicationApi.seenBy(application, loaded);
            Object shown;
            try (CallerSource.Scope scope = web.open(context)) {
                assertThat(scope).isNotSameAs(CallerSource.Scope.NOTHING);
                shown = theirs(TokenBudgets.class).getMethod("current").invoke(null);
                assertThat(api.current()).isEqualTo(context);
                assertThat(ApplicationApi.seenBy(another, loaded).current()).isEqualTo(context);
                assertThat(asOn(another, () -> api.toThrow(refusal)))
                        .isInstanceOf(theirs(LimitExceededException.class));
            }
            assertThat(api.contextIn(shown)).isEqualTo(context);
        }
        assertThat(api.current()).isSameAs(BudgetContext.EMPTY);
        assertThat(lines).isEmpty();
    }

    private static <T> T asOn(ClassLoader contextLoader, Supplier<T> work) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(contextLoader);
        try {
            return work.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void C9_keepsNoApplicationAlive() throws Exception {
        LoadedApis loaded = new LoadedApis(lines::add);
        ApplicationApi api = ApplicationApi.seenBy(ClassLoader.getPlatformClassLoader(), loaded);
        List<WeakReference<ClassLoader>> redeployed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            try (URLClassLoader web = new URLClassLoader(application.getURLs(), ClassLoader.getPlatformClassLoader())) {
                web.loadClass(TokenBudgets.class.getName());
                loaded.loaded(web);
                assertThat(asOn(web, () -> api.toThrow(refusal))).isNotSameAs(refusal);
                assertThat(api.current()).isSameAs(BudgetContext.EMPTY);
                redeployed.add(new WeakReference<>(web));
            }
        }
        for (int i = 0; i < 100 && redeployed.stream().anyMatch(web -> web.get() != null); i++) {
            System.gc();
        }
        assertThat(redeployed).allMatch(web -> web.get() == null);
        assertThat(lines).isEmpty();
    }

    @Test
    void anApplicationWithoutAnnotationsGetsOursAndHasNoContext() {
        ApplicationApi api = ApplicationApi.seenBy(ClassLoader.getPlatformClassLoader(), new LoadedApis(lines::add));

        assertThat(api.current()).isSameAs(BudgetContext.EMPTY);
        assertThat(api.value(new IdentitySource(IdentitySource.Kind.MDC, "tenant")))
                .isNull();
        assertThat(api.toThrow(refusal)).isSameAs(refusal);
        assertThat(lines).isEmpty();
    }

    private static Object read(RuntimeException thrown, String accessor) throws Exception {
        return thrown.getClass().getMethod(accessor).invoke(thrown);
    }
}
