package io.tokenbudget.core.http;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.spi.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who sent an HTTP request, as far as that says which budgets are the sender's own. Immutable.
 *
 * <p>A scope is its own if all of its parts that tell callers apart ({@link #TELLING}), and there is at least one, have the
 * value that is known of the sender: for a request of the tenant {@code acme} it is {@code tenant:acme} and {@code
 * tenant:acme/agent:planner}, but neither {@code tenant:globex}, nor {@code tenant:acme/user:ann} if the user is not known to be
 * Ann, nor {@code global}.
 */
public final class Asker {
    /** The dimensions whose budgets are one caller's own. */
    public static final List<String> TELLING = List.of("tenant", "user", "run");

    /** Under this name servers keep it among the attributes of a request. */
    public static final String ATTRIBUTE = Asker.class.getName();

    /** Nothing is known. */
    public static final Asker NOBODY = new Asker(BudgetContext.EMPTY);

    private final BudgetContext sender;

    /** For each dimension in {@link #TELLING} that is known, the part of a scope. */
    private final Map<String, String> parts = new LinkedHashMap<>();

    private Asker(BudgetContext sender) {
        this.sender = sender;
        for (String dimension : TELLING) {
            String value = sender.dimension(dimension);
            if (value != null) {
                parts.put(dimension, new Scope(dimension, value).toString());
            }
        }
    }

    /** @param sender as {@link io.tokenbudget.core.metering.CallMeter#asker()} knows it */
    public static Asker of(BudgetContext sender) {
        return new Asker(sender);
    }

    /** What {@code attribute}, found at {@link #ATTRIBUTE}, is; {@link #NOBODY} if it is none. */
    public static Asker in(@Nullable Object attribute) {
        return attribute instanceof Asker asker ? asker : NOBODY;
    }

    BudgetContext sender() {
        return sender;
    }

    /** Whether the budget of {@code scope}, as refusals and statuses write it, is the sender's own. */
    public boolean owns(String scope) {
        boolean owns = false;
        for (String part : Policy.partsOf(scope)) {
            String dimension = part.split(":", 2)[0];
            if (TELLING.contains(dimension)) {
                if (!part.equals(parts.get(dimension))) {
                    return false;
                }
                owns = true;
            }
        }
        return owns;
    }
}
