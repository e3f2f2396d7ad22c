package io.tokenbudget.benchmarks.estimates;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import io.tokenbudget.core.estimates.ModelEstimates;
import io.tokenbudget.core.estimates.ModelTokens;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * How far off estimates are: {@code Errors FITTED MEASURED}, two folders with texts of the same names. Prints for each text
 * of the second, in pieces of 200 characters as so many calls, the mean error of exact counting, of calibrated length and of
 * calibrated length corrected by the running ratio, which has seen the pieces of the first; and the time each takes.
 */
public final class Errors {
    private static final int CHARACTERS_TIMED = 3_000_000;

    private Errors() {}

    /** Measures and prints. */
    public static void main(String[] args) {
        Map<String, String> fitted = Corpus.read(Path.of(args[0]));
        Map<String, String> measured = Corpus.read(Path.of(args[1]));
        for (String model : List.of("gpt-4o", "gpt-4")) {
            Encoding encoding = Encodings.newLazyEncodingRegistry()
                    .getEncoding(model.equals("gpt-4o") ? EncodingType.O200K_BASE : EncodingType.CL100K_BASE);
            System.out.printf(
                    "%n%s: error of calls of 200 characters, percent; of the whole text; microseconds a kilobyte%n",
                    model);
            System.out.printf(
                    "%-10s %7s %7s %7s %10s %7s %7s %10s%n",
                    "", "tokens", "exact", "length", "and ratio", "whole", "exact", "length");
            List<String> before = new ArrayList<>();
            List<String> all = new ArrayList<>();
            measured.forEach((name, text) -> {
                List<String> earlier = Corpus.pieces(fitted.getOrDefault(name, ""));
                before.addAll(earlier);
                all.addAll(Corpus.pieces(text));
                row(name, model, encoding, text, earlier, Corpus.pieces(text));
            });
            Collections.shuffle(before, new Random(1));
            Collections.shuffle(all, new Random(2));
            row("mixed", model, encoding, String.join("\n", measured.values()), before, all);
        }
    }

    private static void row(
            String name, String model, Encoding encoding, String text, List<String> earlier, List<String> calls) {
        ToLongFunction<String> exactly = encoding::countTokensOrdinary;
        ModelEstimates estimates = new ModelEstimates(() -> false);
        ToLongFunction<String> length = piece -> estimates.request(model).text(piece);
        ModelTokens memory = estimates.of(model);
        earlier.forEach(piece -> observe(memory, length.applyAsLong(piece), exactly.applyAsLong(piece)));
        double tokens = 0;
        double off = 0;
        double offCorrected = 0;
        for (String call : calls) {
            long actual = exactly.applyAsLong(call);
            long estimate = length.applyAsLong(call);
            tokens += actual;
            off += Math.abs(estimate - actual);
            offCorrected += Math.abs(memory.corrected(estimate) - actual);
            observe(memory, estimate, actual);
        }
        double whole = length.applyAsLong(text) / (double) exactly.applyAsLong(text) - 1;
        System.out.printf(
                "%-10s %7.0f %7.1f %7.1f %10.1f %+7.1f %7.1f %10.2f%n",
                name,
                tokens,
                0.0,
                100 * off / tokens,
                100 * offCorrected / tokens,
                100 * whole,
                microseconds(exactly, text),
                microseconds(length, text));
    }

    private static void observe(ModelTokens memory, long estimate, long actual) {
        memory.observe(estimate, memory.corrected(estimate), actual);
    }

    /** Processor time for a kilobyte of UTF-8. */
    private static double microseconds(ToLongFunction<String> count, String text) {
        int times = CHARACTERS_TIMED / text.length();
        long tokens = 0;
        for (int i = 0; i < times; i++) {
            tokens += count.applyAsLong(text);
        }
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < times; i++) {
            tokens += count.applyAsLong(text);
        }
        long time = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
        if (tokens == 0) {
            throw new IllegalStateException("nothing was counted");
        }
        return time / 1000.0 / times / (text.getBytes(StandardCharsets.UTF_8).length / 1024.0);
    }
}
