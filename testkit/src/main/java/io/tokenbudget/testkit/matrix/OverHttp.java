package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** A provider of the class's own, and how the calls to it are metered. */
@Tag("accounting-matrix")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OverHttp {
    static final String REFUSAL = "LimitExceededException";

    @SuppressWarnings("NullAway.Init") // before all tests
    private ProviderStub stub;

    /** How calls are metered here; the same each time. */
    protected abstract Way way();

    /** The provider. */
    protected final ProviderStub stub() {
        return stub;
    }

    @BeforeAll
    void startProvider() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    void stopProvider() {
        stub.close();
    }

    /** By name: under the agent the application may have no such class to compare with. */
    protected static void isRefusal(@Nullable Throwable thrown) {
        assertThat(thrown == null ? "nothing" : thrown.getClass().getSimpleName())
                .isEqualTo(REFUSAL);
    }
}
