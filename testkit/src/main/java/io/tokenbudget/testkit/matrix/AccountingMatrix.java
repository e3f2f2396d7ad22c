package io.tokenbudget.testkit.matrix;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What the matrices have in common: the provider, the models, and how they are metered. */
abstract class AccountingMatrix<M> extends OverHttp {
    static final String QUESTION = "What will the weather be like in the old town by the sea on Sunday, and is it"
            + " a good day to walk along the coast with two small children and a dog, or should we rather stay at home"
            + " and read a book? Please keep the answer short and tell me which clothes we need.";

    static final String TOO_LONG_FOR_THE_REST = QUESTION + QUESTION + QUESTION;

    /** Of the budgets of every model {@code used-up*}. */
    static final long LIMIT = 1000;

    /** Whose models are called here; the same each time. */
    protected Provider provider() {
        return Provider.OPENAI;
    }

    /** The rows in which this framework, or its client of this provider, is booked otherwise. */
    protected List<Deviation> deviations() {
        return List.of();
    }

    final Booking booking(String row, Booking usual) {
        return deviations().stream()
                .filter(deviation -> deviation.row().equals(row))
                .map(Deviation::booking)
                .findFirst()
                .orElse(usual);
    }

    /** The framework's own model. */
    protected abstract M model(ModelSpec spec);

    /** {@code model} metered, where it does not happen by itself. */
    protected M metered(M model) {
        return model;
    }

    /** The framework's model, metered. */
    protected M metered(ModelSpec spec) {
        return metered(model(spec));
    }

    /** A decorator as an application writes it: one class for each kind of layer, and each call goes through it. */
    protected abstract M decorated(Layer layer, M model);

    /**
     * A cell that only this integration has.
     *
     * @param name unique in the matrix
     */
    protected final Cell cell(String name) {
        return new Cell(way(), stub(), provider(), name + kind());
    }

    /** Tells the cells of one matrix from those of another. */
    String kind() {
        return "";
    }

    static String addressWhereNobodyListens() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }
    }

    static <T> List<T> inParallel(int threads, Callable<T> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> future : pool.invokeAll(Collections.nCopies(threads, work))) {
                results.add(future.get());
            }
            return results;
        } finally {
            pool.shutdown();
        }
    }
}
