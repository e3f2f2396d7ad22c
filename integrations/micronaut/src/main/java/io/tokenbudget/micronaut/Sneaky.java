package io.tokenbudget.micronaut;

/** What a method throws goes on as it is, checked or not: an interceptor's signature has no say in it. */
final class Sneaky {
    private Sneaky() {}

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // nothing is cast at run time
    static <T extends Throwable> RuntimeException thrown(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
