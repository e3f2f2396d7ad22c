package io.tokenbudget.examples.providerstub;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A small HTTP/1.1 server on the loopback interface. Unlike the JDK's it tells a handler at once that its client has
 * left, also while nothing is being written: a connection has a thread that always reads, and each request a thread of
 * its own for its handler.
 *
 * <p>Thread-safe; all threads are daemons. A handler that throws an {@code IOException} has its connection closed without
 * a proper end.
 */
final class WebServer implements AutoCloseable {
    /** Answers requests, several at a time. */
    interface Handler {
        void handle(WebExchange exchange) throws IOException, InterruptedException;
    }

    private final ServerSocket listener;
    private final Handler handler;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            30,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            WebServer::daemon,
            new ThreadPoolExecutor.DiscardPolicy()); // after close() only

    private WebServer(ServerSocket listener, Handler handler) {
        this.listener = listener;
        this.handler = handler;
    }

    /**
     * @param port 0 for any free one
     * @throws IOException if the port is taken
     */
    static WebServer start(int port, Handler handler) throws IOException {
        WebServer server = new WebServer(new ServerSocket(port, 1000, InetAddress.getLoopbackAddress()), handler);
        server.threads.execute(server::acceptAll);
        return server;
    }

    int port() {
        return listener.getLocalPort();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "provider-stub");
        thread.setDaemon(true);
        return thread;
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                connections.add(socket);
                if (listener.isClosed()) {
                    close(socket);
                }
                threads.execute(() -> serve(socket));
            } catch (IOException failed) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(failed);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            // Otherwise each answer on a kept connection waits 40 ms for the client's delayed acknowledgement.
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean more = true;
            while (more) {
                WebRequest request = WebRequest.read(in, socket.getOutputStream());
                more = request != null && answer(socket, request, in);
            }
        } catch (IOException | NumberFormatException over) {
            // Closed by the client between two requests, by a handler, or by close(); or this is no HTTP.
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(socket);
        }
    }

    /** Has a request answered and meanwhile watches for the client to leave; false if the connection has ended. */
    private boolean answer(Socket socket, WebRequest request, InputStream in) throws IOException, InterruptedException {
        WebExchange exchange = new WebExchange(request, socket.getOutputStream());
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        threads.execute(() -> handle(socket, exchange, answered));
        try {
            in.mark(1);
            if (in.read() < 0) {
                return false;
            }
            in.reset();
            return answered.get() && request.keepsConnection();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            if (!answered.isDone()) {
                exchange.clientLeft();
            }
        }
    }

    private void handle(Socket socket, WebExchange exchange, CompletableFuture<Boolean> answered) {
        boolean complete = false;
        try {
            handler.handle(exchange);
            complete = exchange.request().keepsConnection();
        } catch (IOException cut) {
            // The scenario, or the client itself: what follows is the way to say so.
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            answered.complete(complete);
            if (!complete) {
                close(socket);
            }
        }
    }

    /** Closes all connections and frees the port. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        connections.forEach(WebServer::close);
        threads.shutdownNow();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
