package io.tokenbudget.examples.providerstub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("HTTP as clients may write it")
class WebServerTest {
    private static final String BODY = "{\"model\":\"ok\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}";

    private static ProviderStub stub;

    private Socket socket;
    private BufferedReader in;

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    @BeforeEach
    void connect() throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), stub.port());
        socket.setSoTimeout(10_000);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
    }

    @AfterEach
    void disconnect() throws IOException {
        socket.close();
    }

    private void send(String... lines) throws IOException {
        socket.getOutputStream().write(String.join("\r\n", lines).getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private void sendWhole(String key, String... headers) throws IOException {
        send(
                "POST /v1/chat/completions HTTP/1.1",
                "Authorization: Bearer " + key,
                String.join("\r\n", headers),
                "Content-Length: " + BODY.length(),
                "",
                BODY);
    }

    private String line() throws IOException {
        return Objects.requireNonNull(in.readLine(), "closed");
    }

    /** The body of an answer of known length. */
    private String answer() throws IOException {
        assertThat(line()).startsWith("HTTP/1.1 200 ");
        int length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        char[] body = new char[length];
        for (int read = 0; read < length; ) {
            read += in.read(body, read, length - read);
        }
        return new String(body);
    }

    @Test
    void oneConnectionServesManyRequests() throws IOException {
        for (int i = 0; i < 3; i++) {
            sendWhole("many", "X-Any: thing");
            assertThat(answer()).startsWith("{");
        }
        assertThat(stub.ledger().calls("many")).hasSize(3).noneMatch(BilledCall::clientLeft);
    }

    @Test
    void aRequestSentBeforeTheAnswerToTheLastWaitsForIt() throws IOException {
        sendWhole("early", "X-Any: thing");
        sendWhole("early", "X-Any: thing");
        assertThat(answer()).startsWith("{");
        assertThat(answer()).startsWith("{");
    }

    @Test
    void theConnectionEndsWhereTheClientAsksForIt() throws IOException {
        sendWhole("last", "Connection: close");
        assertThat(answer()).startsWith("{");
        assertThat(in.readLine()).isNull();
    }

    @Test
    void aRequestMayComeInChunks() throws IOException {
        int half = BODY.length() / 2;
        send(
                "POST /v1/chat/completions HTTP/1.1",
                "Authorization: Bearer chunks",
                "Transfer-Encoding: chunked",
                "",
                Integer.toHexString(half),
                BODY.substring(0, half),
                Integer.toHexString(BODY.length() - half) + ";an=extension",
                BODY.substring(half),
                "0",
                "",
                "");
        assertThat(answer()).contains("Hello");
    }

    @Test
    void aClientMayWaitForTheWordToGoOn() throws IOException {
        send(
                "POST /v1/chat/completions HTTP/1.1",
                "Authorization: Bearer expect",
                "Expect: 100-continue",
                "Content-Length: " + BODY.length(),
                "",
                "");
        assertThat(line()).isEqualTo("HTTP/1.1 100 Continue");
        assertThat(line()).isEmpty();
        send(BODY);
        assertThat(answer()).contains("Hello");
    }

    @Test
    void whatIsNoHttpEndsTheConnection() throws IOException {
        send("hello", "", "");
        assertThat(in.readLine()).isNull();
    }

    @Test
    void aLengthThatIsNoNumberEndsTheConnection() throws IOException {
        send("POST / HTTP/1.1", "Content-Length: many", "", "");
        assertThat(in.readLine()).isNull();
    }

    @Test
    void aBlockingAnswerIsBilledInFullThoughItsClientHasLeft() throws Exception {
        String slow = BODY.replace("\"ok\"", "\"slow-60000ms\"");
        send(
                "POST /v1/chat/completions HTTP/1.1",
                "Authorization: Bearer slow",
                "Content-Length: " + slow.length(),
                "",
                slow);
        socket.close();

        BilledCall call = stub.ledger()
                .awaitLeftByClient("slow", 1, Duration.ofSeconds(10))
                .get(0);
        assertThat(call.completionTokens()).isPositive();
        assertThat(call.status()).isZero();
    }
}
