package io.tokenbudget.testkit.inprocess;

import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.testkit.FakeClock;
import io.tokenbudget.testkit.matrix.Outcome;
import io.tokenbudget.testkit.matrix.Outcomes;
import io.tokenbudget.testkit.matrix.Way;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Metered through {@link #meter()}, by a limiter of the matrix's own. Thread-safe. */
public final class InProcess implements Way {
    private final List<String> notices = new CopyOnWriteArrayList<>();
    private final FakeClock clock = new FakeClock(Instant.now());
    private final Metering metering = new Metering(
            TokenLimiters.builder().yaml(configuration()).clock(clock).build(), notices::add);
    private final CallMeter meter =
            metering.meter(CallerSource.of(InProcess.class.getClassLoader()), RefusalFactory.OWN);
    private final @Nullable Outcomes outcomes = Outcomes.toWrite();

    /** What the integration's decorators meter with. */
    public CallMeter meter() {
        return meter;
    }

    @Override
    public BudgetsSnapshot budgets() {
        return Snapshots.of(metering.report());
    }

    @Override
    public List<String> notices() {
        return notices;
    }

    @Override
    public boolean canPass() {
        return true;
    }

    @Override
    public void pass(Duration time) {
        clock.advance(time);
    }

    @Override
    public Outcome unmetered(String cell, Supplier<Outcome> control) {
        Outcome outcome = control.get();
        if (outcomes != null) {
            outcomes.add(cell, outcome);
        }
        return outcome;
    }

    private static String configuration() {
        try (InputStream yaml = Way.class.getResourceAsStream("budgets.yaml")) {
            if (yaml == null) {
                throw new IllegalStateException("budgets.yaml is missing beside " + Way.class);
            }
            return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
