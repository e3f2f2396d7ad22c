package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tokenbudget.examples.providerstub.Ledger.Billed;

/** What must be booked for a call, beside what the provider billed. */
public enum Booking {
    /** The client is told the usage. */
    TO_THE_TOKEN("to the token", "the client is told the usage") {
        @Override
        void check(Booked ours, Billed theirs) {
            assertThat(ours.input()).as("input").isEqualTo(theirs.inputTokens());
            assertThat(ours.output()).as("output").isEqualTo(theirs.outputTokens());
            assertThat(ours.total()).as("total").isEqualTo(theirs.totalTokens());
            assertThat(ours.settled()).as("settled").isEqualTo(ours.metered());
        }
    },
    /** The client drops the counts of what came from a cache or went there, which this provider gives beside the prompt. */
    WITHOUT_CACHED_INPUT(
            "to the token, but for the cached part of the prompt",
            "the client drops the counts of the cache, which the provider gives beside the prompt") {
        @Override
        void check(Booked ours, Billed theirs) {
            assertThat(ours.input()).as("input").isPositive().isLessThan(theirs.inputTokens());
            assertThat(ours.output()).as("output").isEqualTo(theirs.outputTokens());
            assertThat(ours.settled()).as("settled").isEqualTo(ours.metered());
        }
    },
    /** The provider bills nothing. */
    NOTHING("nothing", "the provider bills nothing: it refused the request, or was never reached") {
        @Override
        void check(Booked ours, Billed theirs) {
            assertThat(theirs.totalTokens()).as("billed").isZero();
            assertThat(ours.total()).as("booked").isZero();
            assertThat(ours.refunded()).as("refunded").isEqualTo(ours.metered());
        }
    },
    /** The client is not told: the input is estimated and the output counted, both without the provider's tokenizer. */
    ESTIMATED(
            "input estimated, output counted",
            "the client is told no usage: both without the provider's tokenizer, so within 35 % here, and the call is counted as `usageMissing`") {
        @Override
        void check(Booked ours, Billed theirs) {
            assertThat(ours.input()).as("input").isCloseTo(theirs.inputTokens(), withinPercentage(TOKENIZERS_DIFFER));
            assertThat(ours.output())
                    .as("output")
                    .isCloseTo(theirs.outputTokens(), withinPercentage(TOKENIZERS_DIFFER));
            assertThat(ours.settled()).as("settled").isEqualTo(ours.metered());
            assertThat(ours.usageMissing()).as("usage missing").isEqualTo(ours.metered());
        }
    },
    /** The bill is lost with the answer: the estimated input is kept, and the output, if any was billed, is not known. */
    INPUT_ESTIMATED(
            "input estimated", "the bill is lost with the answer: what output was billed, if any, is not known") {
        @Override
        void check(Booked ours, Billed theirs) {
            assertThat(ours.input()).as("input").isCloseTo(theirs.inputTokens(), withinPercentage(TOKENIZERS_DIFFER));
            assertThat(ours.output()).as("output").isZero();
            assertThat(ours.settled()).as("settled").isEqualTo(ours.metered());
        }
    },
    /** The end of a stream, and with it the usage, never comes: the input is estimated, and what has flowed is counted. */
    FLOWED(
            "input estimated, what flowed counted",
            "the end of the stream, and with it the usage, never comes: within 35 %") {
        @Override
        void check(Booked ours, Billed theirs) {
            checkFlowed(ours, theirs);
            assertThat(ours.settled()).as("settled").isEqualTo(ours.metered());
        }
    },
    /** The application left while the stream flowed: what had come by then is counted, and the provider may have sent more. */
    FLOWED_UNTIL_LEFT(
            "input estimated, what had come counted",
            "the application leaves while the stream flows, and the provider may have sent more by then") {
        @Override
        void check(Booked ours, Billed theirs) {
            assertThat(ours.input()).as("input").isCloseTo(theirs.inputTokens(), withinPercentage(TOKENIZERS_DIFFER));
            assertThat(ours.output()).as("output").isBetween(1L, theirs.outputTokens() + mayDiffer(theirs));
            assertThat(ours.settled()).as("settled").isEqualTo(ours.metered());
        }
    },
    /** The framework falls silent: when the hold expires, the input is booked as estimated, and what has flowed as counted. */
    FLOWED_AT_EXPIRY(
            "input estimated, what flowed counted, when the hold expires",
            "the client falls silent: nothing tells that the stream is over") {
        @Override
        void check(Booked ours, Billed theirs) {
            checkFlowed(ours, theirs);
            assertThat(ours.expired()).as("expired").isEqualTo(ours.metered());
        }
    },
    /** Some versions hand such an answer out with its usage, others throw it away with the bill. */
    TO_THE_TOKEN_OR_INPUT(
            "to the token, or input estimated",
            "some versions hand such an answer out with its usage, others throw it away with the bill") {
        @Override
        void check(Booked ours, Billed theirs) {
            Booking which = ours.total() == theirs.totalTokens() ? TO_THE_TOKEN : INPUT_ESTIMATED;
            which.check(ours, theirs);
        }
    };

    private static final long TOKENIZERS_DIFFER = 35;

    /** Of the first few tokens that flow, percentages say nothing. */
    private static final long FEW = 2;

    private static void checkFlowed(Booked ours, Billed theirs) {
        assertThat(ours.input()).as("input").isCloseTo(theirs.inputTokens(), withinPercentage(TOKENIZERS_DIFFER));
        assertThat(ours.output()).as("output").isCloseTo(theirs.outputTokens(), within(mayDiffer(theirs)));
    }

    /** By how much a count of what flowed may differ from the bill. */
    private static long mayDiffer(Billed theirs) {
        return FEW + theirs.outputTokens() * TOKENIZERS_DIFFER / 100;
    }

    private final String label;
    private final String reason;

    Booking(String label, String reason) {
        this.label = label;
        this.reason = reason;
    }

    /** What is booked, in a few words. */
    public String label() {
        return label;
    }

    /** Why it is that, and how near to the provider's number. */
    public String reason() {
        return reason;
    }

    abstract void check(Booked ours, Billed theirs);
}
