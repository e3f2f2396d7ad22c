package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.Ledger.Billed;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.time.Duration;
import java.util.function.Function;

/** One cell of the matrix: its models, and both accounts of what they cost since it began. */
public final class Cell {
    private static final int MAX_OUTPUT = 100;
    private static final String CONTROL = "unmetered-";

    private final Way way;
    private final ProviderStub stub;
    private final String id;
    private final BudgetsSnapshot before;

    /** @param id unique in the matrix; the budgets of the cell begin with it */
    Cell(Way way, ProviderStub stub, String id) {
        this.way = way;
        this.stub = stub;
        this.id = id;
        this.before = way.budgets();
    }

    /** A model that plays {@code scenario}, without retries. */
    public ModelSpec spec(String scenario) {
        return spec(id, scenario);
    }

    private ModelSpec spec(String key, String scenario) {
        return new ModelSpec(stub.baseUrl(), key, key + '/' + scenario, MAX_OUTPUT, 0, Duration.ofSeconds(20));
    }

    /**
     * Makes a call and the same call unmetered, and fails unless the application sees the same.
     *
     * @param call makes it with the models of the scenario-to-specification function that it is given
     * @param unmetered likewise
     */
    Outcome assertSame(
            Function<Function<String, ModelSpec>, Outcome> call,
            Function<Function<String, ModelSpec>, Outcome> unmetered) {
        Outcome ours = call.apply(this::spec).without(id);
        Outcome control = way.unmetered(
                id,
                () -> unmetered.apply(scenario -> spec(CONTROL + id, scenario)).without(CONTROL + id, id));
        assertThat(ours).isEqualTo(control);
        return ours;
    }

    /** The requests that reached the provider. */
    public int requests() {
        return stub.ledger().calls(id).size();
    }

    Billed billed() {
        return stub.ledger().billed(id);
    }

    /** What was booked. */
    public Booked booked() {
        return Booked.between(before, way.budgets(), "model:" + id + '/');
    }

    /** Fails unless {@code rounds} were metered, each ended once and was booked as {@code booking} says. */
    public Booked assertBooked(Booking booking, long rounds) {
        Booked booked = booked();
        booking.check(booked, billed());
        assertThat(booked.metered()).as("metered").isEqualTo(rounds);
        assertThat(booked.unmetered()).as("unmetered").isZero();
        assertNothingIsLeft();
        return booked;
    }

    void assertNothingIsLeft() {
        BudgetsSnapshot now = way.budgets();
        assertThat(now.held()).as("held").isZero();
        assertThat(now.reservations().held()).as("reservations held").isZero();
        assertThat(now.reservations().expired())
                .as("expired")
                .isEqualTo(before.reservations().expired());
        assertThat(way.notices()).as("notices").isEmpty();
    }
}
