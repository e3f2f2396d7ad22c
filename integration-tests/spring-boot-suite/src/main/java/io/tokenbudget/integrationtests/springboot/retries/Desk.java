package io.tokenbudget.integrationtests.springboot.retries;

/** What an application tries again. The agent of each method has the method's name, but for {@code desk}. */
public interface Desk {
    /** Agent {@code desk}, with the ticket as its key; up to ten attempts. */
    String handle(String ticket, String question);

    /** The same without a key. */
    String unnamed(String question);

    /** With a ceiling that has room for the second attempt, but not for the tenth. */
    String bound(String question);

    /** Asks twice, for which the ceiling has no room the second time, and is configured to try refusals again by default. */
    String research(String topic);

    /** The same with the line of the page by which refusals are final. */
    String excluded(String topic);
}
