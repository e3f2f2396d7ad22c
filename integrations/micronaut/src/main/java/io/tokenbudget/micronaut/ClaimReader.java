package io.tokenbudget.micronaut;

import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Knows the claims of one kind of principals. A bean for each kind that the application has. Thread-safe. */
public interface ClaimReader {

    /** The value of the claim {@code name}; null if the principal has none, or is of another kind. */
    @Nullable
    String claim(Principal principal, String name);
}
