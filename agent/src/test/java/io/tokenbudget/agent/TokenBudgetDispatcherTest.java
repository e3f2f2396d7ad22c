package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C9 never in the way: the dispatcher")
class TokenBudgetDispatcherTest {
    private static final MethodType ENTER = MethodType.methodType(Object.class, String.class);
    private static final MethodType EXIT = MethodType.methodType(void.class, Object.class);

    private final Target target = new Target();

    /** A linker that fails or answers as told. */
    private static final class Target {
        private @Nullable Object answer;
        private @Nullable RuntimeException failure;
        private @Nullable Object fault;

        @SuppressWarnings("unused") // through a method handle
        private @Nullable Object link(MethodHandles.Lookup caller, String name, MethodType type, Object[] arguments) {
            if (name.equals("fault")) {
                fault = arguments[0];
            }
            if (failure != null) {
                throw failure;
            }
            return answer;
        }

        void connect() throws ReflectiveOperationException {
            MethodType type = MethodType.methodType(
                    Object.class, MethodHandles.Lookup.class, String.class, MethodType.class, Object[].class);
            TokenBudgetDispatcher.target = MethodHandles.lookup().bind(this, "link", type);
        }
    }

    @AfterEach
    void disconnect() {
        TokenBudgetDispatcher.target = null;
    }

    private static CallSite link(MethodType type) {
        return TokenBudgetDispatcher.bootstrap(MethodHandles.lookup(), "enter", type, "advice", "kind");
    }

    @Test
    void linksToNothingWhileNoAgentIsActive() throws Throwable {
        assertThat(link(ENTER).getTarget().invoke("x")).isNull();
        link(EXIT).getTarget().invoke("x");
    }

    @Test
    void linksToNothingIfTheLinkerFailsAndTellsIt() throws Throwable {
        target.connect();
        target.failure = new IllegalStateException("bug");

        assertThat(link(ENTER).getTarget().invoke("x")).isNull();
        assertThat(target.fault).isSameAs(target.failure);
    }

    @Test
    void linksTheNextCallAfterAFailure() throws Throwable {
        target.connect();
        target.failure = new IllegalStateException("bug");
        assertThat(link(ENTER).getTarget().invoke("x")).isNull();

        target.failure = null;
        MethodHandle answer =
                MethodHandles.dropArguments(MethodHandles.constant(Object.class, "linked"), 0, String.class);
        target.answer = new ConstantCallSite(answer);

        assertThat(link(ENTER).getTarget().invoke("x")).isEqualTo("linked");
    }

    @Test
    void takesAnAdvicesFaultAndNeverThrows() throws Throwable {
        RuntimeException fault = new IllegalStateException("bug");
        TokenBudgetDispatcher.fault(fault);

        target.connect();
        target.failure = new IllegalStateException("another");
        TokenBudgetDispatcher.fault(fault);

        assertThat(target.fault).isSameAs(fault);
    }
}
