package io.tokenbudget.spring.boot;

import io.tokenbudget.TokenBudgets;
import java.lang.reflect.Field;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.ReflectionUtils;

/**
 * Lets what is handed to Spring's executors, as for {@code @Async}, work for whom the thread works that hands it in.
 *
 * <p>No bean of the type {@link TaskDecorator}: Spring Boot takes the application's own only if it is the only one. So each
 * executor gets one that stands outside of its own. What a scheduler repeats is nobody's. Stateless.
 */
final class FollowedExecutors implements BeanPostProcessor {
    private static final Log LOG = LogFactory.getLog("io.tokenbudget");

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        try {
            follow(bean);
        } catch (RuntimeException | LinkageError fault) {
            LOG.warn("Token Budget: the executor " + name + " does not work for whom hands it work: " + fault);
        }
        return bean;
    }

    private static void follow(Object bean) {
        if (bean instanceof ThreadPoolTaskExecutor pool) {
            Decorating.around(ThreadPoolTaskExecutor.class, pool, pool::setTaskDecorator);
        } else if (bean instanceof SimpleAsyncTaskExecutor executor && !(bean instanceof TaskScheduler)) {
            Decorating.around(SimpleAsyncTaskExecutor.class, executor, executor::setTaskDecorator);
        }
    }

    /** @param own the application's, or null */
    private record Decorating(@Nullable TaskDecorator own) implements TaskDecorator {
        @FunctionalInterface
        interface Setter {
            void set(TaskDecorator decorator);
        }

        /** An executor that does not show what it has is left as it is. */
        static void around(Class<?> type, Object executor, Setter setter) {
            Field field = ReflectionUtils.findField(type, /* name= */ null, /* type= */ TaskDecorator.class);
            if (field != null && field.trySetAccessible()) {
                Object own = ReflectionUtils.getField(field, executor);
                if (!(own instanceof Decorating)) {
                    setter.set(new Decorating((TaskDecorator) own));
                }
            }
        }

        @Override
        public Runnable decorate(Runnable task) {
            Runnable followed = TokenBudgets.wrap(task);
            return own == null ? followed : own.decorate(followed);
        }
    }
}
