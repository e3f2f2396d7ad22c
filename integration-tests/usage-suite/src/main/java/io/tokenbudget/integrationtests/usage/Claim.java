package io.tokenbudget.integrationtests.usage;

import io.tokenbudget.Usage;

/**
 * What one cell of the second table claims about one answer.
 *
 * @param usage what is settled if {@code kind} is {@link Kind#EXACTLY}, else the whole bill
 */
record Claim(Kind kind, Usage usage) {

    /** How much of the bill is known. */
    enum Kind {
        /** Every token, with the parts that are shown. */
        EXACTLY("exactly"),
        /** The framework gives no usage: the estimate of the input and the counted output are settled. */
        NOTHING("nothing"),
        /** The framework throws an answer that was billed away: the estimate of the input is settled. */
        INPUT("the estimated input"),
        /** Input and output together. */
        TOTAL("the total"),
        /** The framework makes numbers up and says nothing of it. */
        ESTIMATE("its own estimate"),
        /** The framework adds up what the provider repeats. */
        TOO_MUCH("too much");

        final String words;

        Kind(String words) {
            this.words = words;
        }
    }
}
