package io.tokenbudget.testkit.annotation;

import java.util.Map;

/** An argument with properties that templates refer to. */
public record Order(String tenantId, Map<String, String> labels) {

    /** Copies the map. */
    public Order {
        labels = Map.copyOf(labels);
    }
}
