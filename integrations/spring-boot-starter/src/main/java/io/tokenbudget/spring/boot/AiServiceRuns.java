package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.langchain4j.ServiceCalls;
import io.tokenbudget.langchain4j.TokenStreams;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Makes what one call of a LangChain4j AI service asks its models one run, of whom the call names. It charges nothing: models do. Thread-safe.
 *
 * <p>A proxy as LangChain4j's own, in the same class loader: a proxy of Spring's needs classes that this loader may not know.
 */
final class AiServiceRuns implements BeanPostProcessor, Ordered {
    private static final Log LOG = LogFactory.getLog("io.tokenbudget");
    private static final String AI_SERVICES = "dev.langchain4j.service.";

    private final Supplier<CallMeter> meter;

    AiServiceRuns(Supplier<CallMeter> meter) {
        this.meter = meter;
    }

    /** Inside of what others put around it, such as the advice of {@code @TokenBudget}. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        try {
            return isAiService(bean) ? oneRun(bean) : bean;
        } catch (RuntimeException | LinkageError fault) {
            LOG.warn("Token Budget: each call of a model is a run of its own, not each of the AI service " + name + ": "
                    + fault);
            return bean;
        }
    }

    private static boolean isAiService(Object bean) {
        return Proxy.isProxyClass(bean.getClass())
                && Proxy.getInvocationHandler(bean).getClass().getName().startsWith(AI_SERVICES);
    }

    private Object oneRun(Object service) {
        Class<?> type = service.getClass();
        return Proxy.newProxyInstance(type.getClassLoader(), type.getInterfaces(), new OneRun(service, meter));
    }

    private record OneRun(Object service, Supplier<CallMeter> meter) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return method.getName().equals("equals") && arguments != null && arguments[0] == proxy
                        ? true
                        : call(method, arguments);
            }
            CallMeter calls = meter.get();
            Run opened = calls.openRun(ServiceCalls.of(method, arguments));
            Object returned;
            try {
                returned = call(method, arguments);
            } finally {
                calls.closeRun(opened);
            }
            return opened != null && calls.asksCalls() ? TokenStreams.inRun(returned, method, calls, opened) : returned;
        }

        private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
            // Of an interface that only its own package knows.
            boolean unused = method.trySetAccessible();
            try {
                return method.invoke(service, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
            }
        }
    }
}
