package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName(
        "C9 drift: a version of a framework that does not exist yet works as before, is named, and its calls are counted")
class DriftTest {
    private static final String LC4J = "dev/langchain4j/";
    private static final String SPRING_AI = "org/springframework/ai/";
    private static final String UNKNOWN = " and are counted: it has no ";

    private final ProviderStub stub = ProviderStub.start(0);
    private final int port = Budgets.freePort();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    @AfterEach
    void stop() {
        stub.close();
    }

    @ParameterizedTest(name = "without {0}.{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                // Where calls are hooked: the providers are called in a way that nobody knows.
                "dev.langchain4j.model.chat.ChatModel | doChat |"
                        + " (Ldev/langchain4j/model/chat/request/ChatRequest;)Ldev/langchain4j/model/chat/response/ChatResponse;",
                // What is read of a request.
                "dev.langchain4j.model.chat.request.ChatRequest | messages | ()Ljava/util/List;",
                "dev.langchain4j.model.chat.request.ChatRequest | parameters |"
                        + " ()Ldev/langchain4j/model/chat/request/ChatRequestParameters;",
                "dev.langchain4j.model.chat.request.ChatRequestParameters | maxOutputTokens | ()Ljava/lang/Integer;",
                // What is read of an answer.
                "dev.langchain4j.model.chat.response.ChatResponse | metadata |"
                        + " ()Ldev/langchain4j/model/chat/response/ChatResponseMetadata;",
                "dev.langchain4j.model.output.TokenUsage | inputTokenCount | ()Ljava/lang/Integer;"
            })
    void langChain4j(String owner, String method, String descriptor) throws IOException {
        Path libraries = Files.createDirectory(folder.resolve("lib"));
        FutureFramework.ofFolder(Fixture.NEWEST, libraries, LC4J, method + descriptor);

        String without = chat(libraries, 0);
        assertThat(without).contains("gpt-4o-mini -> answer ").contains("error-500 -> ");
        String with = chat(
                libraries, 1, "-javaagent:" + Fixture.AGENT + "=config=" + Fixture.configuration(folder, port, ""));

        assertThat(with).isEqualTo(without);
        assertThat(Files.readString(folder.resolve("err.txt")))
                .contains("LangChain4j " + FutureFramework.VERSION + " ")
                .contains(UNKNOWN + owner + "." + method + "(");
    }

    private String chat(Path libraries, int launches, String... options) {
        List<String> command = new ArrayList<>(List.of(options));
        command.addAll(List.of("-cp", Fixture.classPath(libraries), "io.tokenbudget.launches.ChatApp"));
        command.addAll(List.of(stub.baseUrl(), "key", "gpt-4o-mini", "error-500", "gpt-4o-mini"));
        try (Launch launch = Launch.of(Jdk.all().get(0), folder, Map.of(), command.toArray(String[]::new))) {
            launch.awaitLine("done");
            if (launches > 0) {
                assertCounted(launch, 3);
            }
            launch.end().hasOnStandardErrorAtMost(3 * launches);
            return launch.out();
        }
    }

    private void assertCounted(Launch launch, long calls) {
        Budgets budgets = Budgets.at(port);
        assertThat(budgets.calls("unmetered"))
                .as("%s\n%s", budgets, launch.transcript())
                .isEqualTo(calls);
        assertThat(budgets.calls("metered")).isZero();
        assertThat(budgets.reservations("settled")).isZero();
    }

    @ParameterizedTest(name = "Spring Boot {0} without {1}.{2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "3 | org.springframework.ai.chat.model.ChatModel | call |"
                        + " (Lorg/springframework/ai/chat/prompt/Prompt;)Lorg/springframework/ai/chat/model/ChatResponse;",
                "4 | org.springframework.ai.chat.model.ChatModel | call |"
                        + " (Lorg/springframework/ai/chat/prompt/Prompt;)Lorg/springframework/ai/chat/model/ChatResponse;",
                "3 | org.springframework.ai.chat.metadata.Usage | getPromptTokens | ()Ljava/lang/Integer;",
                "4 | org.springframework.ai.chat.prompt.Prompt | getInstructions | ()Ljava/util/List;"
            })
    void springAi(String boot, String owner, String method, String descriptor)
            throws IOException, InterruptedException {
        Path fatJar = boot.equals("3") ? Fixture.BOOT_3 : Fixture.BOOT_4;
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path libraries = Files.createDirectory(folder.resolve("lib"));
        FutureFramework.ofFatJar(fatJar, classes, libraries, SPRING_AI, method + descriptor);
        int http = Budgets.freePort();
        String baseUrl = boot.equals("3") ? stub.baseUrl().replace("/v1", "") : stub.baseUrl();
        Map<String, String> environment =
                Map.of("PORT", String.valueOf(http), "OPENAI_BASE_URL", baseUrl, "OPENAI_API_KEY", "key");
        String classPath = classes + File.pathSeparator + libraries + File.separator + "*";
        String agent = Fixture.agent(Fixture.configuration(folder, port, ""));
        try (Launch launch =
                Launch.of(Jdk.all().get(0), folder, environment, agent, "-cp", classPath, mainClass(fatJar))) {
            assertThat(ask(launch, http)).isNotBlank();

            // 1.x keeps the rounds of a tool loop inside one call of its model.
            assertCounted(launch, boot.equals("3") ? 1 : 2);
            launch.hasOnStandardErrorAtMost(3);
            assertThat(launch.err())
                    .contains("Spring AI " + FutureFramework.VERSION + " ")
                    .contains(UNKNOWN + owner + "." + method + "(");
        }
    }

    private static String mainClass(Path fatJar) throws IOException {
        try (JarFile jar = new JarFile(fatJar.toFile())) {
            return jar.getManifest().getMainAttributes().getValue("Start-Class");
        }
    }

    private static String ask(Launch launch, int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/ask?q=How%20is%20the%20weather"))
                .header("X-Tenant-Id", "acme")
                .build();
        long deadline = System.nanoTime() + 180_000_000_000L;
        while (true) {
            try {
                HttpResponse<String> response =
                        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(launch.transcript()).isEqualTo(200);
                return response.body();
            } catch (java.net.ConnectException starting) {
                assertThat(System.nanoTime()).as(launch.transcript()).isLessThan(deadline);
                Thread.onSpinWait();
            }
        }
    }
}
