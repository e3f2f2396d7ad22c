package io.tokenbudget.examples.providerstub;

import java.util.concurrent.CountDownLatch;

/** Runs the stub until the process is ended: {@code java -jar provider-stub.jar [--port 8080]}. */
public final class Main {
    private static final int DEFAULT_PORT = 8080;

    private Main() {}

    /** Prints one line with the address when the stub is ready; {@code --port 0} takes any free port. */
    @SuppressWarnings("SystemOut") // the one line is its interface
    public static void main(String[] arguments) throws InterruptedException {
        int port = DEFAULT_PORT;
        if (arguments.length == 2 && arguments[0].equals("--port")) {
            port = Integer.parseInt(arguments[1]);
        } else if (arguments.length != 0) {
            System.err.println("usage: java -jar provider-stub.jar [--port 8080]");
            System.exit(2);
        }
        ProviderStub stub = start(port);
        Runtime.getRuntime().addShutdownHook(new Thread(stub::close, "provider-stub-stop"));
        System.out.println("provider stub at " + stub.baseUrl());
        new CountDownLatch(1).await();
    }

    @SuppressWarnings("SystemOut") // a command line
    private static ProviderStub start(int port) {
        try {
            return ProviderStub.start(port);
        } catch (NoClassDefFoundError missing) {
            System.err.println("the provider stub cannot start without " + missing.getMessage()
                    + ": keep the folder lib, which the build makes, beside provider-stub.jar");
            System.exit(1);
            throw missing;
        }
    }
}
