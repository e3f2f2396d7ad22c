package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.security.authentication.Authentication;
import jakarta.inject.Singleton;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** The claims of who was authenticated by Micronaut Security. */
@Singleton
@Requires(classes = Authentication.class)
final class AuthenticationClaims implements ClaimReader {

    @Override
    public @Nullable String claim(Principal principal, String name) {
        Object claim = principal instanceof Authentication authentication
                ? authentication.getAttributes().get(name)
                : null;
        return claim == null ? null : claim.toString();
    }
}
