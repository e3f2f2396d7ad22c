package io.tokenbudget.spring.boot;

import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Whether the server itself replaces the address of who has connected by what a proxy says, and leaves no trace of it. */
final class OwnAddresses {
    private static final String STRATEGY = "server.forward-headers-strategy";

    private OwnAddresses() {}

    /** True of Jetty and Undertow where the strategy is {@code native}, as Spring Boot reads it. */
    static boolean areLost(Environment environment) {
        return (isPresent("org.eclipse.jetty.server.Server") || isPresent("io.undertow.Undertow"))
                && !isPresent("org.apache.catalina.startup.Tomcat")
                && isNative(environment);
    }

    private static boolean isNative(Environment environment) {
        String strategy = environment.getProperty(STRATEGY);
        if (strategy != null) {
            return strategy.strip().equalsIgnoreCase("native");
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders();
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, OwnAddresses.class.getClassLoader());
    }
}
