package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.examples.providerstub.Ledger.Billed;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The account of calls that are no chat, over real HTTP: nothing passes unmetered, whatever the framework tells of it.
 *
 * @param <E> the framework's model that makes vectors
 */
@Tag("other-models")
public abstract class OtherModelsMatrix<E> extends OverHttp {
    /** What models are asked. */
    protected static final String TEXT = "an old town by the sea on a quiet Sunday";

    private static final int TOKENS_OF_TEXT = 9;

    private BudgetsSnapshot before = new BudgetsSnapshot(
            List.of(), new BudgetsSnapshot.Reservations(0, 0, 0, 0, 0), new BudgetsSnapshot.Calls(0, 0, 0));

    /**
     * Where a model is.
     *
     * @param baseUrl the provider's address without a path
     * @param apiKey tells the cells apart in the provider's ledger
     * @param modelName tells them apart in ours, and says after its slash what the provider does
     */
    public record At(String baseUrl, String apiKey, String modelName) {}

    /** {@code model} metered as {@code type}, where it does not happen by itself. */
    protected <M> M metered(Class<M> type, M model) {
        return model;
    }

    /** Whether every call is seen at the method that has its usage, also where a model asks itself. */
    protected abstract boolean seesEveryCall();

    /** The framework's model, metered. */
    protected abstract E embedding(At at);

    /** Asks for the vector of {@code text}. */
    protected abstract void embed(E model, String text);

    /** Begins a cell. */
    protected final At at(String cell, String scenario) {
        begin();
        return new At(stub().baseUrl(), cell, cell + '/' + scenario);
    }

    /** Begins a cell that calls no provider. */
    protected final void begin() {
        before = way().budgets();
    }

    /** What is booked for the models of {@code cell}. */
    protected final long used(String cell, String unit) {
        return way().budgets().used("model:" + cell + '/', unit);
    }

    /** What the provider has billed. */
    protected final Billed billed(String cell) {
        return stub().ledger().billed(cell);
    }

    /** Fails unless what is booked is what was billed. */
    protected final void assertBilled(String cell) {
        assertThat(billed(cell).totalTokens()).isPositive();
        assertThat(used(cell, "input tokens")).isEqualTo(billed(cell).inputTokens());
        assertThat(used(cell, "tokens")).isEqualTo(billed(cell).totalTokens());
    }

    /** Fails unless the estimate of {@link #TEXT} is booked, and nothing else. */
    protected final void assertEstimateOfText(String cell) {
        assertThat(used(cell, "input tokens")).isBetween(TOKENS_OF_TEXT - 3L, TOKENS_OF_TEXT + 5L);
        assertThat(used(cell, "output tokens")).isZero();
    }

    /** Fails unless this many calls were metered since the cell began, and each of them has ended. */
    protected final void assertCalls(long metered, long usageMissing) {
        BudgetsSnapshot now = way().budgets();
        assertThat(now.calls().metered() - before.calls().metered())
                .as("metered")
                .isEqualTo(metered);
        assertThat(now.calls().unmetered() - before.calls().unmetered())
                .as("unmetered")
                .isZero();
        assertThat(now.calls().usageMissing() - before.calls().usageMissing())
                .as("usage missing")
                .isEqualTo(usageMissing);
        assertThat(now.reservations().held()).as("held").isZero();
        assertThat(now.reservations().expired()).as("expired").isZero();
        assertThat(way().notices()).isEmpty();
    }

    @Test
    @DisplayName("C6: an embedding that fails is refunded")
    void anEmbeddingThatFailsIsRefunded() {
        E model = embedding(at("embedding-fails", "error-400"));

        assertThatThrownBy(() -> embed(model, TEXT)).isInstanceOf(RuntimeException.class);

        assertThat(used("embedding-fails", "tokens")).isZero();
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("R2: a budget that is used up refuses vectors, and nothing reaches the provider")
    void aBudgetThatIsUsedUpRefuses() {
        E model = embedding(at("used-up-embedding", "ok"));

        assertThatThrownBy(() -> embed(model, TEXT.repeat(200))).satisfies(OverHttp::isRefusal);

        assertThat(stub().ledger().calls("used-up-embedding")).isEmpty();
        assertCalls(0, 0);
    }
}
