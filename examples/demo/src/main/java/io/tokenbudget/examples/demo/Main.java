package io.tokenbudget.examples.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The demo script's helper.
 *
 * <pre>
 *   free-ports COUNT                         prints that many ports nobody listens on
 *   ask URL TENANT                           asks as a tenant and prints the answer; exit 3 if it is not a good one
 *   fetch URL FILE                           saves what the address answers
 *   compare (NAME BUDGETS LEDGER)...         prints budgets beside the provider's bill; exit 1 if they differ
 * </pre>
 */
@SuppressWarnings("SystemOut") // a command line
public final class Main {
    private static final int NO_GOOD_ANSWER = 3;

    private Main() {}

    /** Runs one command. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        switch (arguments[0]) {
            case "free-ports" -> freePorts(Integer.parseInt(arguments[1]));
            case "ask" -> ask(URI.create(arguments[1]), arguments[2]);
            case "fetch" ->
                Files.writeString(
                        Path.of(arguments[2]),
                        Web.get(URI.create(arguments[1]), "").body());
            case "compare" -> compare(List.of(arguments).subList(1, arguments.length));
            default -> throw new IllegalArgumentException("no such command: " + arguments[0]);
        }
    }

    private static void freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        for (ServerSocket socket : sockets) {
            System.out.println(socket.getLocalPort());
            socket.close();
        }
    }

    private static void ask(URI uri, String tenant) throws IOException, InterruptedException {
        Web.Reply reply = Web.get(uri, tenant);
        System.out.println(reply.status() + " " + reply.body());
        if (reply.status() != 200) {
            System.exit(NO_GOOD_ANSWER);
        }
    }

    private static void compare(List<String> arguments) throws IOException {
        List<Account> accounts = new ArrayList<>();
        for (int i = 0; i + 2 < arguments.size(); i += 3) {
            accounts.add(Account.read(
                    arguments.get(i),
                    Files.readString(Path.of(arguments.get(i + 1))),
                    Files.readString(Path.of(arguments.get(i + 2)))));
        }
        Comparison comparison = Comparison.of(accounts);
        System.out.print(comparison.table());
        if (!comparison.equal()) {
            System.exit(1);
        }
        System.out.println("  Every budget equals the bill to the token, and nothing is held.");
    }
}
