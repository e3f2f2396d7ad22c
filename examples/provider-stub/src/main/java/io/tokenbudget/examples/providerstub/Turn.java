package io.tokenbudget.examples.providerstub;

/**
 * One message of a conversation, in no provider's words.
 *
 * @param text what it says
 * @param callsTools whether the model wants tools called
 * @param tokens of all it holds
 */
record Turn(Role role, String text, boolean callsTools, long tokens) {

    static Turn user(String text) {
        return new Turn(Role.USER, text, false, TextPieces.count(text));
    }

    enum Role {
        SYSTEM,
        USER,
        MODEL,
        TOOL
    }
}
