package io.tokenbudget.spring.boot;

import io.micrometer.observation.ObservationFilter;
import io.tokenbudget.TokenLimiter;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.reactor.ReactorSchedulers;
import io.tokenbudget.springai.MeteredObservations;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.ai.chat.client.ChatClientCustomizer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * The limiter, what books the calls, and the models' metering. Each bean gives way to one of the application's own;
 * {@code token-budget.enabled=false} takes all of it out.
 */
@AutoConfiguration
@ConditionalOnProperty(prefix = StarterSettings.PREFIX, name = "enabled", matchIfMissing = true)
public class TokenBudgetAutoConfiguration {
    private static final Log LOG = LogFactory.getLog("io.tokenbudget");
    private static final String SETTINGS = "io.tokenbudget.settings";
    private static final String LIMITER = "io.tokenbudget.limiter";
    private static final String METERING = "io.tokenbudget.metering";

    @Bean("io.tokenbudget.notices")
    @ConditionalOnMissingBean
    Notices tokenBudgetNotices() {
        return LOG::warn;
    }

    @Bean(SETTINGS)
    StarterSettings tokenBudgetSettings(Environment environment, ConfigurableListableBeanFactory beans) {
        StarterSettings read = StarterSettings.read(environment);
        BeanFactory above = beans.getParentBeanFactory();
        StarterSettings around =
                above != null && above.containsBean(SETTINGS) ? above.getBean(SETTINGS, StarterSettings.class) : null;
        boolean isInForce = isInForce(beans);
        StarterSettings settings = isInForce ? read : read.notInForce(around);
        for (String line : settings.lines()) {
            if (!settings.problems().isEmpty()) {
                LOG.error("Token Budget: " + line);
            } else if (isInForce) {
                LOG.info("Token Budget: " + line);
            } else {
                LOG.warn("Token Budget: " + line);
            }
        }
        return settings;
    }

    /** Whether the limiter that meters is made of this context's configuration. */
    private static boolean isInForce(ConfigurableListableBeanFactory beans) {
        int limiters = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                        beans, DefaultTokenLimiter.class, true, false)
                .length;
        return beans.containsLocalBean(METERING) && (beans.containsLocalBean(LIMITER) || limiters != 1);
    }

    /** The limiter, for code of the application's own too. */
    @Bean(LIMITER)
    @ConditionalOnMissingBean(TokenLimiter.class)
    DefaultTokenLimiter tokenLimiter(StarterSettings settings) {
        return TokenLimiters.builder().settings(settings.settings()).build();
    }

    @Bean(METERING)
    @ConditionalOnMissingBean
    Metering tokenBudgetMetering(
            ObjectProvider<DefaultTokenLimiter> limiters,
            StarterSettings settings,
            Notices notices,
            ApplicationContext context) {
        DefaultTokenLimiter limiter = limiters.getIfUnique();
        if (limiter == null) {
            notices.warn(
                    "the application's TokenLimiter is not one of token-budget-core, or there are several: models are"
                            + " metered by the starter's own");
            limiter = tokenLimiter(settings);
        }
        Metering metering = new Metering(limiter, notices);
        InstalledMeterings.open(metering, context);
        return metering;
    }

    @Bean("io.tokenbudget.callMeter")
    @ConditionalOnMissingBean
    CallMeter tokenBudgetCallMeter(Metering metering) {
        return metering.meter(CallerSource.of(getClass().getClassLoader()), RefusalFactory.OWN);
    }

    /**
     * Also where everything else is made when it is first used.
     *
     * @param settings so that what is wrong with them is told
     */
    @Bean("io.tokenbudget.unmeteredModels")
    SmartInitializingSingleton tokenBudgetUnmeteredModels(
            MeteredBeans models, Notices notices, StarterSettings settings) {
        return () -> models.tell(unmetered -> notices.warn(
                "Token Budget: these models cannot be metered as they are, their calls pass uncounted: " + unmetered));
    }

    @Bean("io.tokenbudget.aiServiceRuns")
    static AiServiceRuns tokenBudgetAiServiceRuns(ObjectProvider<CallMeter> meter) {
        return new AiServiceRuns(meter::getObject);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.ai.chat.client.ChatClientCustomizer")
    static class Clients {
        @Bean("io.tokenbudget.chatClients")
        ChatClientCustomizer tokenBudgetChatClients(CallMeter meter) {
            return new ChatClients(meter);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "io.micrometer.observation.ObservationFilter",
                "org.springframework.ai.model.observation.ModelObservationContext"
            })
    static class Observations {
        /** Before filters of the application's, which may throw. */
        @Bean("io.tokenbudget.observations")
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ObservationFilter tokenBudgetObservations(CallMeter meter) {
            return MeteredObservations.filter(meter);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "reactor.core.scheduler.Schedulers")
    static class Schedulers {
        /** What is scheduled works for whom the thread works that schedules it, until the context is closed. */
        @Bean("io.tokenbudget.schedulers")
        DisposableBean tokenBudgetSchedulers(CallMeter meter) {
            ReactorSchedulers.follow(meter);
            return () -> ReactorSchedulers.leave(meter);
        }
    }

    @Bean("io.tokenbudget.meteredBeans")
    static MeteredBeans tokenBudgetMeteredBeans(BeanFactory beans) {
        return new MeteredBeans(beans);
    }

    @Bean("io.tokenbudget.inCircles")
    static MeteredBeans.InCircles tokenBudgetInCircles(MeteredBeans models) {
        return new MeteredBeans.InCircles(models);
    }
}
