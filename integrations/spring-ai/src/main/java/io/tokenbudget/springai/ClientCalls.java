package io.tokenbudget.springai;

import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Kind;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Who is calling, as the advisor parameters of a {@code ChatClient}'s call say it. Stateless. */
public final class ClientCalls {
    private static final Getter CONTEXT = new Getter("context");

    private ClientCalls() {}

    /**
     * Reads a call.
     *
     * @param request a {@code ChatClientRequest}: of an artifact that an application of the models has not
     * @return answers sources of the kind {@code ADVISOR}
     */
    public static Function<IdentitySource, @Nullable String> of(@Nullable Object request) {
        return source -> {
            Object value = source.kind() == Kind.ADVISOR && CONTEXT.get(request) instanceof Map<?, ?> parameters
                    ? parameters.get(source.name())
                    : null;
            return value == null ? null : value.toString();
        };
    }
}
