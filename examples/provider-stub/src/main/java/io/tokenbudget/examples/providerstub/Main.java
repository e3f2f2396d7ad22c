package io.tokenbudget.examples.providerstub;

import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;

/** Runs the stub until the process is ended: {@code java -jar provider-stub.jar [--port 8080]}. */
public final class Main {
    private static final int DEFAULT_PORT = 8080;
    private static final int HIGHEST_PORT = 65_535;

    private Main() {}

    /** Prints one line with the address when the stub is ready; {@code --port 0} takes any free port. */
    @SuppressWarnings("SystemOut") // the one line is its interface
    public static void main(String[] arguments) throws InterruptedException {
        ProviderStub stub = start(port(arguments));
        Runtime.getRuntime().addShutdownHook(new Thread(stub::close, "provider-stub-stop"));
        System.out.println("provider stub at " + stub.baseUrl());
        new CountDownLatch(1).await();
    }

    private static int port(String[] arguments) {
        if (arguments.length == 0) {
            return DEFAULT_PORT;
        }
        if (arguments.length == 2 && arguments[0].equals("--port") && arguments[1].matches("\\d{1,5}")) {
            int port = Integer.parseInt(arguments[1]);
            if (port <= HIGHEST_PORT) {
                return port;
            }
        }
        throw end(2, "usage: java -jar provider-stub.jar [--port 8080]");
    }

    private static ProviderStub start(int port) {
        try {
            return ProviderStub.start(port);
        } catch (NoClassDefFoundError missing) {
            throw end(
                    1,
                    "the provider stub cannot start without " + missing.getMessage()
                            + ": keep the folder lib, which the build makes, beside provider-stub.jar");
        } catch (UncheckedIOException notFree) {
            throw end(1, "the provider stub " + notFree.getMessage() + ": it is taken, or not allowed here");
        }
    }

    @SuppressWarnings("SystemOut") // a command line
    private static IllegalStateException end(int code, String line) {
        System.err.println(line);
        System.exit(code);
        return new IllegalStateException(line);
    }
}
