package io.tokenbudget.agent.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.Notices;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /budgets} with the report and {@code GET /} with a page that draws it.
 *
 * <p>All threads are daemons without a context class loader, so that they neither keep the JVM running nor the
 * application's classes alive. A request must name the loopback host: a web site whose name was pointed at this machine
 * gets nothing.
 */
public final class StatusServer {
    private static final int MOST_REQUESTS_AT_ONCE = 4;

    private final int port;
    private final Supplier<BudgetReport> report;
    private final Notices notices;

    private StatusServer(int port, Supplier<BudgetReport> report, Notices notices) {
        this.port = port;
        this.report = report;
        this.notices = notices;
    }

    /** Starts serving, on a thread of its own: the caller may be inside the loading of a class. Never throws. */
    public static void start(int port, Supplier<BudgetReport> report, Notices notices) {
        StatusServer server = new StatusServer(port, report, notices);
        daemon(server::listen).start();
    }

    private static Thread daemon(Runnable work) {
        // Without the thread-locals of whoever comes first: they may keep an application's class loader alive.
        Thread thread = new Thread(null, work, "token-budget-status", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    private void listen() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            server.createContext("/", this::answer);
            ThreadPoolExecutor threads = new ThreadPoolExecutor(
                    MOST_REQUESTS_AT_ONCE,
                    MOST_REQUESTS_AT_ONCE,
                    10,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    StatusServer::daemon);
            threads.allowCoreThreadTimeOut(true);
            server.setExecutor(threads);
            notices.warn("status at http://127.0.0.1:" + port + "/");
            server.start();
        } catch (BindException taken) {
            notices.warn("status port " + port + " is taken: no status page, everything else works");
        } catch (Throwable fault) {
            notices.warn("no status page, everything else works: " + fault);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (!isLocal(exchange.getRequestHeaders().getFirst("Host"))) {
                send(exchange, 403, "text/plain", bytes("This page is for this machine only.\n"));
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                send(exchange, 405, "text/plain", bytes("Only GET is answered here.\n"));
            } else if (path.equals("/budgets")) {
                send(exchange, 200, "application/json", ReportJson.write(report.get()));
            } else if (path.equals("/")) {
                send(exchange, 200, "text/html; charset=utf-8", page());
            } else {
                send(exchange, 404, "text/plain", bytes("There are / and /budgets.\n"));
            }
        } catch (RuntimeException fault) {
            notices.warn("a status request failed: " + fault);
            throw fault;
        }
    }

    private static boolean isLocal(@Nullable String host) {
        if (host == null) {
            return false;
        }
        int port = host.lastIndexOf(':');
        String name = port > host.lastIndexOf(']') ? host.substring(0, port) : host;
        return name.equals("127.0.0.1") || name.equalsIgnoreCase("localhost") || name.equals("[::1]");
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        // On a connection that is kept the JDK's server waits with the body for the client's delayed acknowledgement:
        // 40 ms.
        exchange.getResponseHeaders().set("Connection", "close");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    private static byte[] page() throws IOException {
        try (InputStream in = StatusServer.class.getResourceAsStream("status.html")) {
            if (in == null) {
                throw new IOException("status.html is missing in the agent's jar");
            }
            return in.readAllBytes();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
