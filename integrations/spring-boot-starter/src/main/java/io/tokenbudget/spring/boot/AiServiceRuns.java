package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.langchain4j.ServiceCalls;
import io.tokenbudget.langchain4j.TokenStreams;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Makes what one call of a LangChain4j AI service asks its models one run, of whom the call names. It charges nothing: models do. Thread-safe.
 */
final class AiServiceRuns implements BeanPostProcessor, Ordered {
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
        boolean isAiService = Proxy.isProxyClass(bean.getClass())
                && Proxy.getInvocationHandler(bean).getClass().getName().startsWith(AI_SERVICES);
        if (!isAiService) {
            return bean;
        }
        ProxyFactory factory = new ProxyFactory(bean);
        factory.addAdvice(new OneRun(meter));
        return factory.getProxy(bean.getClass().getClassLoader());
    }

    private record OneRun(Supplier<CallMeter> meter) implements MethodInterceptor {
        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            CallMeter calls = meter.get();
            Run opened = calls.openRun(ServiceCalls.of(invocation.getMethod(), invocation.getArguments()));
            Object returned;
            try {
                returned = invocation.proceed();
            } finally {
                calls.closeRun(opened);
            }
            return opened != null && calls.asksCalls()
                    ? TokenStreams.inRun(returned, invocation.getMethod(), calls, opened)
                    : returned;
        }
    }
}
