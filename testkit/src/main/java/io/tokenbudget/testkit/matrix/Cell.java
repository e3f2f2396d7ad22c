package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.Ledger.Billed;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** One cell of the matrix: its models, and both accounts of what they cost since it began. */
public final class Cell {
    private static final int MAX_OUTPUT = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String CONTROL = "unmetered-";

    private final Way way;
    private final ProviderStub stub;
    private final Provider provider;
    private final String id;
    private final BudgetsSnapshot before;

    /** @param name unique in the matrix; the budgets of the cell begin with it */
    Cell(Way way, ProviderStub stub, Provider provider, String name) {
        this.way = way;
        this.stub = stub;
        this.provider = provider;
        this.id = provider == Provider.OPENAI ? name : name + '-' + provider;
        this.before = way.budgets();
    }

    /** A model that plays {@code scenario}, without retries. */
    public ModelSpec spec(String scenario) {
        return spec(id, scenario);
    }

    private ModelSpec spec(String key, String scenario) {
        return new ModelSpec(
                provider, stub.baseUrl(), key, key + '/' + scenario, MAX_OUTPUT, 0, Duration.ofSeconds(20));
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

    /** Waits until the provider has booked {@code calls} requests. */
    void awaitRequests(int calls) throws InterruptedException {
        stub.ledger().awaitCalls(id, calls, PATIENCE);
    }

    /** Waits until the client has closed the connections of {@code calls} requests before their answers were complete. */
    public void awaitLeft(int calls) throws InterruptedException {
        stub.ledger().awaitLeftByClient(id, calls, PATIENCE);
    }

    /** What is held now for the models of this cell, in tokens. */
    long held() {
        return way.budgets().held(scopes(), "tokens");
    }

    /** Waits until nothing is held: what ends a stream may come on any thread. */
    public void awaitNothingHeld() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (way.budgets().reservations().held() > before.reservations().held() && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private String scopes() {
        return "model:" + id + '/';
    }

    Billed billed() {
        return stub.ledger().billed(id);
    }

    /** What was booked. */
    public Booked booked() {
        return Booked.between(before, way.budgets(), scopes());
    }

    /** Fails unless {@code rounds} were metered, each ended once and was booked as {@code booking} says. */
    public Booked assertBooked(Booking booking, long rounds) {
        return assertBooked(booking, rounds, billed());
    }

    /** The same, for one stream of which only what the application has seen can have been counted. */
    public Booked assertBookedAsSeen(Booking booking, Seen seen) {
        Billed billed = billed();
        long output = seen.pieces().size();
        return assertBooked(
                booking, 1, new Billed(billed.calls(), billed.inputTokens(), output, billed.inputTokens() + output));
    }

    private Booked assertBooked(Booking booking, long rounds, Billed billed) {
        Booked booked = booked();
        booking.check(booked, billed);
        assertThat(booked.metered()).as("metered").isEqualTo(rounds);
        assertThat(booked.unmetered()).as("unmetered").isZero();
        assertNothingIsLeft(booking == Booking.FLOWED_AT_EXPIRY ? rounds : 0);
        return booked;
    }

    void assertNothingIsLeft() {
        assertNothingIsLeft(0);
    }

    private void assertNothingIsLeft(long mayExpire) {
        BudgetsSnapshot now = way.budgets();
        assertThat(now.held()).as("held").isEqualTo(before.held());
        assertThat(now.reservations().held())
                .as("reservations held")
                .isEqualTo(before.reservations().held());
        assertThat(now.reservations().expired())
                .as("expired")
                .isEqualTo(before.reservations().expired() + mayExpire);
        assertThat(way.notices()).as("notices").isEmpty();
    }
}
