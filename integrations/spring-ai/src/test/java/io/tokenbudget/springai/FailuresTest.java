package io.tokenbudget.springai;

import static io.tokenbudget.core.metering.Failure.CUT_STREAM;
import static io.tokenbudget.core.metering.Failure.REJECTED;
import static io.tokenbudget.core.metering.Failure.TIMEOUT;
import static io.tokenbudget.core.metering.Failure.UNUSABLE_ANSWER;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParseException;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.retry.NonTransientAiException;
import org.springframework.ai.retry.TransientAiException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.client.HttpServerErrorException;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClientException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

@DisplayName("C6 failures: what an exception says about the bill")
class FailuresTest {

    @Test
    void anErrorAnswerIsNotBilled() {
        assertThat(Failures.of(new TransientAiException("HTTP 500"))).isEqualTo(REJECTED);
        assertThat(Failures.of(new NonTransientAiException("HTTP 400"))).isEqualTo(REJECTED);
        assertThat(Failures.of(HttpServerErrorException.create(
                        HttpStatus.BAD_GATEWAY, "", HttpHeaders.EMPTY, new byte[0], StandardCharsets.UTF_8)))
                .isEqualTo(REJECTED);
    }

    @Test
    void anAnswerThatBeganWellAndBrokeMayBeBilled() {
        WebClientResponseException begun = WebClientResponseException.create(
                HttpStatus.OK.value(), "OK", HttpHeaders.EMPTY, new byte[0], StandardCharsets.UTF_8);
        assertThat(Failures.of(begun)).isEqualTo(CUT_STREAM);
        assertThat(Failures.of(begun.initCause(new IOException("prematurely closed"))))
                .isEqualTo(CUT_STREAM);
        assertThat(Failures.of(WebClientResponseException.create(
                        HttpStatus.TOO_MANY_REQUESTS.value(),
                        "",
                        HttpHeaders.EMPTY,
                        new byte[0],
                        StandardCharsets.UTF_8)))
                .isEqualTo(REJECTED);
    }

    @Test
    void whatNeverReachedTheProviderIsNotBilled() {
        assertThat(Failures.of(new ResourceAccessException("I/O", new ConnectException("refused"))))
                .isEqualTo(REJECTED);
        assertThat(Failures.of(new ResourceAccessException("I/O", new SSLHandshakeException("no trust"))))
                .isEqualTo(REJECTED);
    }

    /** A tool answers something that a client cannot send on, or media cannot be read: Gemini's client of 1.1 and others. */
    @ParameterizedTest
    @CsvSource({
        "google.genai.GoogleGenAiChatModel, createGeminiRequest",
        "google.genai.GoogleGenAiChatModel, lambda$createGeminiRequest$19",
        "ollama.OllamaChatModel, ollamaChatRequest",
        "openai.OpenAiChatModel, createRequest",
        "anthropic.AnthropicChatModel, buildRequestPrompt",
        "azure.openai.AzureOpenAiChatModel, fromSpringAiMessage",
    })
    void C6_aRequestThatCouldNotBeMadeIsNotBilledWhateverWasThrownMakingIt(String type, String method) {
        StackTraceElement[] making = {
            new StackTraceElement("com.acme.Mapper", "read", null, 1),
            new StackTraceElement("org.springframework.ai." + type, method, null, 2),
            new StackTraceElement("org.springframework.ai." + type, "internalCall", null, 3)
        };
        StackTraceElement[] reading = {
            making[0],
            new StackTraceElement("org.springframework.ai." + type, "responseToGeneration", null, 2),
            making[2]
        };
        for (Throwable thrown : List.of(
                new JsonParseException(null, "no JSON"),
                new NullPointerException(),
                new IndexOutOfBoundsException(),
                new FileNotFoundException("picture.png"))) {
            thrown.setStackTrace(making);
            assertThat(Failures.of(new RuntimeException("Failed to parse", thrown)))
                    .isEqualTo(REJECTED);
            thrown.setStackTrace(reading);
            assertThat(Failures.of(new RuntimeException("Failed to parse", thrown)))
                    .isNotEqualTo(REJECTED);
        }
    }

    @Test
    void whatWasSentAndNotAnsweredInTimeMayBeBilled() {
        assertThat(Failures.of(new ResourceAccessException("I/O", new SocketTimeoutException("Read timed out"))))
                .isEqualTo(TIMEOUT);
        assertThat(Failures.of(new ResourceAccessException("I/O", new HttpTimeoutException("request timed out"))))
                .isEqualTo(TIMEOUT);
        assertThat(Failures.of(new RuntimeException(new InterruptedIOException("timeout"))))
                .isEqualTo(TIMEOUT);
    }

    @Test
    void aConnectionThatBrokeMayBeBilled() {
        assertThat(Failures.of(new ResourceAccessException("I/O", new SocketException("Connection reset"))))
                .isEqualTo(CUT_STREAM);
        assertThat(Failures.of(new RestClientException("extracting", new EOFException("closed"))))
                .isEqualTo(CUT_STREAM);
        assertThat(Failures.of(new HttpMessageNotReadableException("I/O", new IOException("closed"), notRead())))
                .isEqualTo(CUT_STREAM);
    }

    @Test
    void anAnswerThatCannotBeReadIsUnusable() {
        IOException json = new JsonParseException(null, "unexpected end");
        assertThat(Failures.of(new RestClientException("extracting", json))).isEqualTo(UNUSABLE_ANSWER);
        assertThat(Failures.of(new RestClientException(
                        "extracting", new HttpMessageNotReadableException("JSON", json, notRead()))))
                .isEqualTo(UNUSABLE_ANSWER);
        assertThat(Failures.of(new NullPointerException())).isEqualTo(UNUSABLE_ANSWER);
        assertThat(Failures.of(new IndexOutOfBoundsException())).isEqualTo(UNUSABLE_ANSWER);
    }

    @Test
    void aRefusalOfOursIsNoBill() {
        RuntimeException refusal =
                new LimitExceededException("no", "global", "1 tokens", 2, 0, null, RefusalReason.NEVER_FITS);
        assertThat(Failures.of(new IllegalStateException(new NullPointerException().initCause(refusal))))
                .isEqualTo(REJECTED);
    }

    @Test
    void anythingElseIsNoBill() {
        assertThat(Failures.of(new IllegalArgumentException("messages must not be empty")))
                .isEqualTo(REJECTED);
    }

    private static HttpInputMessage notRead() {
        return new HttpInputMessage() {
            @Override
            public InputStream getBody() {
                return InputStream.nullInputStream();
            }

            @Override
            public HttpHeaders getHeaders() {
                return HttpHeaders.EMPTY;
            }
        };
    }
}
