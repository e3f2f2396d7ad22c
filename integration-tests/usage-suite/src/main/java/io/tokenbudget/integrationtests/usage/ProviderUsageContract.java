package io.tokenbudget.integrationtests.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds one line of a framework to docs/usage.md: each of its clients is given each recorded answer of its provider over real
 * HTTP, and what is settled is what the page says.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ProviderUsageContract {
    private final UsagePage page = new UsagePage();

    /** The column of the page's second table. */
    protected abstract String line();

    /** The clients of that line, perhaps several for one provider. */
    protected abstract List<ProviderClient> clients();

    record Case(ProviderClient client, Answer answer) {
        @Override
        public String toString() {
            return answer.toString();
        }
    }

    Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (ProviderClient client : clients()) {
            for (Answer answer : Answer.of(client.provider())) {
                if (answer.streamed() == client.streams()) {
                    cases.add(new Case(client, answer));
                }
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatIsSettledIsWhatIsBilled(Case each) throws Exception {
        Claim claim = page.claim(each.answer, line());
        SettledUsage settled = new SettledUsage();
        try (RecordedProvider provider = new RecordedProvider(each.answer)) {
            each.client.call().ask(provider.baseUrl(), settled.meter(), each.answer);
        } catch (Exception unusable) {
            if (claim.kind() != Claim.Kind.INPUT) {
                throw unusable;
            }
        }

        assertThat(settled.settled()).as("%s", each).hasSize(1);
        Usage booked = settled.settled().get(0);
        Usage bill = claim.usage();
        switch (claim.kind()) {
            case EXACTLY -> assertThat(booked).isEqualTo(bill);
            case INPUT -> {
                assertThat(booked.inputTokens()).isPositive();
                assertThat(booked.outputTokens()).isZero();
            }
            case TOTAL -> assertThat(booked.total()).isEqualTo(bill.total());
            case TOO_MUCH -> assertThat(booked.total()).isGreaterThan(bill.total());
            case NOTHING, ESTIMATE -> {
                assertThat(booked.inputTokens()).isPositive();
                assertThat(booked).isNotEqualTo(bill);
            }
        }
        assertThat(settled.report().calls().usageMissing()).isEqualTo(claim.kind() == Claim.Kind.NOTHING ? 1 : 0);
        assertThat(settled.report().reservations().held()).isZero();
        assertThat(settled.notices()).isEmpty();
    }

    @Test
    void everyProviderOfThisLineIsAskedInBothWays() {
        List<String> claimed = page.reaching().stream()
                .filter(provider -> page.hasClient(provider, line()))
                .toList();
        assertThat(providers(false)).containsExactlyInAnyOrderElementsOf(claimed);
        assertThat(providers(true)).containsExactlyInAnyOrderElementsOf(claimed);
    }

    private List<String> providers(boolean streamed) {
        return cases().filter(each -> each.answer.streamed() == streamed)
                .map(each -> each.answer.provider())
                .distinct()
                .toList();
    }
}
