package io.tokenbudget.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.Usage;
import io.tokenbudget.core.spi.Price.Rates;
import io.tokenbudget.core.spi.Price.Step;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PriceTest {
    private static final Rates GPT_4O =
            new Rates(2_500_000_000L, 1_250_000_000L, 2_500_000_000L, 10_000_000_000L, 10_000_000_000L);

    @Example
    void aCallCostsWhatItsTokensCostToTheNanoUsd() {
        Price price = new Price(GPT_4O, List.of(), 0, 0);

        // 600 x $2.50 + 400 x $1.25 + 200 x $10, for a million each
        assertThat(price.of(new Usage(1000, 400, 0, 200, 50))).isEqualTo(4_000_000);
        assertThat(Money.text(4_000_000)).isEqualTo("$0.004");
    }

    @Example
    void muchInputMakesTheWholeCallDearer() {
        Price price = new Price(new Rates(1, 1, 1, 1, 1), List.of(new Step(200_000, new Rates(2, 2, 2, 3, 3))), 0, 0);

        assertThat(price.of(Usage.of(200_000, 800_000))).isEqualTo(1);
        assertThat(price.of(Usage.of(200_001, 799_999))).isEqualTo(3);
        assertThat(price.goingOn(200_001).of(Usage.of(0, 1_000_000)))
                .as("what flows on belongs to a call of much input")
                .isEqualTo(3);
    }

    @Example
    void aCallAndItsPicturesHaveTheirOwnPriceAndWhatGoesOnHasPaidIt() {
        Price price = new Price(Rates.FREE, List.of(), 5, 40);

        assertThat(price.of(Usage.of(10, 0))).isEqualTo(5);
        assertThat(price.ofImages(3).of(Usage.of(10, 0))).isEqualTo(125);
        assertThat(price.ofImages(3).goingOn(10).of(Usage.of(10, 0))).isZero();
    }

    @Property
    void R14_costsAreThoseOfExactArithmeticRoundedUpOnceAndStopAtTheLargestAmount(
            @ForAll("prices") Price price, @ForAll("usages") Usage usage) {
        Rates rates = price.rates();
        for (Step step : price.steps()) {
            rates = usage.inputTokens() > step.above() ? step.rates() : rates;
        }
        BigDecimal exact = cost(
                        usage.inputTokens() - usage.cachedInputTokens() - usage.cacheWriteTokens(), rates.input())
                .add(cost(usage.cachedInputTokens(), rates.cachedInput()))
                .add(cost(usage.cacheWriteTokens(), rates.cacheWrite()))
                .add(cost(usage.outputTokens() - usage.reasoningTokens(), rates.output()))
                .add(cost(usage.reasoningTokens(), rates.reasoning()))
                .setScale(0, RoundingMode.CEILING)
                .add(BigDecimal.valueOf(price.request()));
        assertThat(price.of(usage))
                .isEqualTo(exact.min(BigDecimal.valueOf(Limit.MAX_AMOUNT)).longValueExact());
    }

    @Property
    void whatIsHeldIsAtLeastWhatAnyUsageOfTheseTokensCosts(
            @ForAll("prices") Price price, @ForAll("usages") Usage usage) {
        assertThat(price.most(usage.inputTokens(), usage.outputTokens())).isGreaterThanOrEqualTo(price.of(usage));
    }

    @Property
    void moreOutputNeverCostsLess(
            @ForAll("prices") Price price, @ForAll("tokens") long input, @ForAll("tokens") long output) {
        assertThat(price.most(input, output + 1)).isGreaterThanOrEqualTo(price.most(input, output));
    }

    private static BigDecimal cost(long tokens, long rate) {
        return BigDecimal.valueOf(tokens).multiply(BigDecimal.valueOf(rate)).movePointLeft(6);
    }

    @Provide
    Arbitrary<Price> prices() {
        Arbitrary<Step> steps = Combinators.combine(Arbitraries.longs().between(1, 2_000_000), rates())
                .as(Step::new);
        return Combinators.combine(
                        rates(),
                        steps.list()
                                .ofMaxSize(2)
                                .map(list -> list.stream()
                                        .sorted(java.util.Comparator.comparingLong(Step::above))
                                        .toList()),
                        Arbitraries.of(0L, 7L, Limit.MAX_AMOUNT))
                .as((rates, above, request) -> new Price(rates, above, request, 0));
    }

    private static Arbitrary<Rates> rates() {
        Arbitrary<Long> rate = Arbitraries.longs().between(0, Price.MOST_FOR_A_MILLION);
        return Combinators.combine(rate, rate, rate, rate, rate).as(Rates::new);
    }

    @Provide
    Arbitrary<Long> tokens() {
        return Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(4, Arbitraries.longs().between(0, 2_000_000)),
                net.jqwik.api.Tuple.of(1, Arbitraries.longs().between(0, Limit.MAX_AMOUNT)));
    }

    @Provide
    Arbitrary<Usage> usages() {
        return Combinators.combine(tokens(), tokens(), tokens(), tokens(), tokens())
                .as((plain, cached, written, output, reasoning) ->
                        new Usage(plain + cached + written, cached, written, output + reasoning, reasoning));
    }
}
