package io.tokenbudget.testkit.matrix;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a framework's client of a provider hides an end or a usage, so that what is booked is no longer the provider's
 * number.
 *
 * @param lines where it does so
 */
public record KnownDeviation(
        Set<? extends FrameworkLine> lines, Provider provider, boolean streamed, Deviation deviation) {

    /** Of streams. */
    public static KnownDeviation streamed(
            Set<? extends FrameworkLine> lines, Provider provider, String row, Booking booking, String reason) {
        return new KnownDeviation(lines, provider, true, new Deviation(row, booking, reason));
    }

    /** Of blocking calls. */
    public static KnownDeviation blocking(
            Set<? extends FrameworkLine> lines, Provider provider, String row, Booking booking, String reason) {
        return new KnownDeviation(lines, provider, false, new Deviation(row, booking, reason));
    }

    /** The lines of {@code all} on which {@code provider} is tried. */
    public static Set<FrameworkLine> everywhere(Provider provider, FrameworkLine... all) {
        return Stream.of(all)
                .filter(line -> line.providers().contains(provider))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Those of {@code all} that are of one provider on one line. */
    public static List<Deviation> present(
            List<KnownDeviation> all, FrameworkLine line, Provider provider, boolean streamed) {
        return all.stream()
                .filter(known -> known.lines.contains(line) && known.provider == provider && known.streamed == streamed)
                .map(KnownDeviation::deviation)
                .toList();
    }
}
