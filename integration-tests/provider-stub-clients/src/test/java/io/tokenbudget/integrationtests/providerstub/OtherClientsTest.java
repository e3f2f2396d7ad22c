package io.tokenbudget.integrationtests.providerstub;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.audio.Audio;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.model.audio.AudioTranscriptionRequest;
import dev.langchain4j.model.ollama.OllamaLanguageModel;
import dev.langchain4j.model.openai.OpenAiAudioTranscriptionModel;
import dev.langchain4j.model.openai.OpenAiImageModel;
import dev.langchain4j.model.openai.OpenAiLanguageModel;
import dev.langchain4j.model.openai.OpenAiModerationModel;
import dev.langchain4j.model.openai.OpenAiTextToSpeechModel;
import dev.langchain4j.model.output.Response;
import io.tokenbudget.examples.providerstub.BilledCall;
import io.tokenbudget.examples.providerstub.ProviderStub;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the stand-in provider's other interfaces, asked by LangChain4j's clients")
class OtherClientsTest {
    private static ProviderStub stub;

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    private static String url() {
        return stub.baseUrl() + "/v1";
    }

    private static BilledCall onlyCall(String key) {
        List<BilledCall> calls = stub.ledger().calls(key);
        assertThat(calls).hasSize(1);
        return calls.get(0);
    }

    @Test
    void completesText() {
        OpenAiLanguageModel model = OpenAiLanguageModel.builder()
                .baseUrl(url())
                .apiKey("completion")
                .modelName("ok")
                .build();
        Response<String> response = model.generate("Hello?");

        assertThat(response.content()).startsWith("You asked: Hello?");
        assertThat(requireNonNull(response.tokenUsage()).totalTokenCount())
                .isEqualTo((int) onlyCall("completion").totalTokens());
    }

    @Test
    void completesTextByOllama() {
        OllamaLanguageModel model = OllamaLanguageModel.builder()
                .baseUrl(stub.baseUrl())
                .modelName("ok")
                .build();
        Response<String> response = model.generate("Hello?");

        assertThat(response.content()).startsWith("You asked: Hello?");
        assertThat(requireNonNull(response.tokenUsage()).totalTokenCount())
                .isEqualTo((int) onlyCall("").totalTokens());
    }

    @Test
    void makesImages() {
        OpenAiImageModel model = OpenAiImageModel.builder()
                .baseUrl(url())
                .apiKey("images")
                .modelName("ok")
                .build();
        Response<List<Image>> response = model.generate("a cat", 2);

        assertThat(response.content()).hasSize(2).allMatch(image -> image.base64Data() != null);
        assertThat(onlyCall("images").completionTokens()).isEqualTo(2 * 272);
    }

    @Test
    void moderates() {
        assertThat(moderation("ok").moderate("a text").content().flagged()).isFalse();
        assertThat(moderation("content-filter").moderate("a text").content().flagged())
                .isTrue();
    }

    private static OpenAiModerationModel moderation(String model) {
        return OpenAiModerationModel.builder()
                .baseUrl(url())
                .apiKey("moderation")
                .modelName(model)
                .build();
    }

    @Test
    void transcribesSpeech() {
        OpenAiAudioTranscriptionModel model = OpenAiAudioTranscriptionModel.builder()
                .baseUrl(url())
                .apiKey("transcription")
                .modelName("ok")
                .build();
        Audio audio = Audio.builder()
                .binaryData(new byte[] {1, 2, 3})
                .mimeType("audio/mpeg")
                .build();

        assertThat(model.transcribe(
                                AudioTranscriptionRequest.builder().audio(audio).build())
                        .text())
                .isNotBlank();
        assertThat(onlyCall("transcription").totalTokens()).isPositive();
    }

    @Test
    void speaks() {
        OpenAiTextToSpeechModel model = OpenAiTextToSpeechModel.builder()
                .baseUrl(url())
                .apiKey("speech")
                .modelName("ok")
                .voice("alloy")
                .build();

        assertThat(model.synthesize("Good day.").audio().binaryData()).isNotEmpty();
        assertThat(onlyCall("speech").totalTokens()).isPositive();
    }
}
