package io.tokenbudget.examples.providerstub;

/** What media in a request cost. */
final class MediaTokens {
    static final long IMAGE = 765;
    static final long SMALL_IMAGE = 85;
    static final long OTHER = 500;

    private MediaTokens() {}
}
