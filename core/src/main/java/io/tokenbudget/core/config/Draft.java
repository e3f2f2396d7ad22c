package io.tokenbudget.core.config;

import io.tokenbudget.core.config.OnFailure.Booking;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Price;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Settings under way: every field at its default until it is set. Not thread-safe. */
final class Draft {
    Admission mode = Settings.DEFAULT.mode();
    Duration hold = Settings.DEFAULT.hold();
    Duration remember = Settings.DEFAULT.remember();
    int rememberAtMost = Settings.DEFAULT.rememberAtMost();
    ZoneId zone = Settings.DEFAULT.zone();
    OverrunPolicy overrun = Settings.DEFAULT.overrun();
    boolean exact = Estimates.DEFAULT.exact();
    long defaultMaxOutput = Estimates.DEFAULT.defaultMaxOutput();

    @Nullable
    String defaultPlan;

    Prices.Unknown unknownPrice = Prices.NONE.unknown();
    Streaming.Reserve reserve = Streaming.DEFAULT.reserve();
    int chunk = Streaming.DEFAULT.chunk();
    Booking rejected = OnFailure.DEFAULT.rejected();
    Booking timeout = OnFailure.DEFAULT.timeout();
    Booking cutStream = OnFailure.DEFAULT.cutStream();
    Booking unusableAnswer = OnFailure.DEFAULT.unusableAnswer();
    boolean httpEnabled = HttpSettings.DEFAULT.enabled();
    boolean remaining = HttpSettings.DEFAULT.remaining();
    List<String> sendContextTo = HttpSettings.DEFAULT.sendContextTo();
    List<Network> believeContextFrom = HttpSettings.DEFAULT.believeContextFrom();
    int statusPort = Settings.DEFAULT.statusPort();
    final Map<String, Long> modelMaxOutput = new LinkedHashMap<>();
    final Map<String, BigDecimal> plans = new LinkedHashMap<>();
    final Map<String, Price> prices = new LinkedHashMap<>();
    final Map<String, List<IdentitySource>> identity = new TreeMap<>(Settings.DEFAULT_IDENTITY);
    final List<BudgetRow> budgets = new ArrayList<>();

    Settings build() {
        return new Settings(
                mode,
                hold,
                remember,
                rememberAtMost,
                zone,
                overrun,
                Collections.unmodifiableMap(new TreeMap<>(identity)),
                List.copyOf(budgets),
                new Estimates(
                        exact, defaultMaxOutput, Collections.unmodifiableMap(new LinkedHashMap<>(modelMaxOutput))),
                new Plans(Collections.unmodifiableMap(new LinkedHashMap<>(plans)), defaultPlan),
                new Prices(Collections.unmodifiableMap(new LinkedHashMap<>(prices)), unknownPrice),
                new Streaming(reserve, chunk),
                new OnFailure(rejected, timeout, cutStream, unusableAnswer),
                new HttpSettings(httpEnabled, remaining, sendContextTo, believeContextFrom),
                statusPort);
    }
}
