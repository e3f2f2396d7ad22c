package io.tokenbudget.langchain4j;

import static io.tokenbudget.core.metering.Failure.CUT_STREAM;
import static io.tokenbudget.core.metering.Failure.REJECTED;
import static io.tokenbudget.core.metering.Failure.TIMEOUT;
import static io.tokenbudget.core.metering.Failure.UNUSABLE_ANSWER;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.internal.ExceptionMapper;
import dev.langchain4j.model.ModelDisabledException;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("C6 failures: what may have been billed")
class FailuresTest {

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529})
    void anErrorStatusIsARejectionHoweverItIsMapped(int status) {
        HttpException thrown = new HttpException(status, "no");

        assertThat(Failures.of(thrown)).isEqualTo(REJECTED);
        assertThat(Failures.of(ExceptionMapper.DEFAULT.mapException(thrown))).isEqualTo(REJECTED);
        assertThat(Failures.of(new RuntimeException(new ExecutionException(thrown))))
                .isEqualTo(REJECTED);
    }

    @Test
    void whatProvidersMapThemselvesIsARejection() {
        assertThat(Failures.of(new AuthenticationException("no"))).isEqualTo(REJECTED);
        assertThat(Failures.of(new RateLimitException("no"))).isEqualTo(REJECTED);
        assertThat(Failures.of(new InvalidRequestException("no"))).isEqualTo(REJECTED);
        assertThat(Failures.of(new ModelNotFoundException("no"))).isEqualTo(REJECTED);
        assertThat(Failures.of(new InternalServerException("no"))).isEqualTo(REJECTED);
        assertThat(Failures.of(new InternalServerException(new IllegalStateException("of an SDK"))))
                .isEqualTo(REJECTED);
        assertThat(Failures.of(new UnresolvedModelServerException("no"))).isEqualTo(REJECTED);
    }

    @Test
    void whatIsNeverSentIsARejection() {
        assertThat(Failures.of(new ModelDisabledException("no"))).isEqualTo(REJECTED);
        assertThat(Failures.of(new UnsupportedFeatureException("no"))).isEqualTo(REJECTED);
        assertThat(Failures.of(new IllegalArgumentException("no"))).isEqualTo(REJECTED);
        assertThat(Failures.of(new RuntimeException(new ConnectException("refused"))))
                .isEqualTo(REJECTED);
        assertThat(Failures.of(ExceptionMapper.DEFAULT.mapException(new UnresolvedAddressException())))
                .isEqualTo(REJECTED);
        assertThat(Failures.of(new RuntimeException(new SSLHandshakeException("no"))))
                .isEqualTo(REJECTED);
        assertThat(Failures.of(new TimeoutException(new HttpConnectTimeoutException("no"))))
                .isEqualTo(REJECTED);
    }

    @Test
    void aTimeOutMayHaveBeenBilled() {
        assertThat(Failures.of(new TimeoutException(new HttpTimeoutException("no"))))
                .isEqualTo(TIMEOUT);
        assertThat(Failures.of(new TimeoutException("no"))).isEqualTo(TIMEOUT);
        assertThat(Failures.of(new RuntimeException(new InterruptedException())))
                .isEqualTo(TIMEOUT);
    }

    @Test
    void aConnectionThatBreaksMayHaveBeenBilled() {
        assertThat(Failures.of(new RuntimeException(new IOException("reset")))).isEqualTo(CUT_STREAM);
    }

    @Test
    void anAnswerThatCannotBeReadIsBilled() {
        assertThat(Failures.of(new RuntimeException(unreadable()))).isEqualTo(UNUSABLE_ANSWER);
        assertThat(Failures.of(new dev.langchain4j.exception.ContentFilteredException("no")))
                .isEqualTo(UNUSABLE_ANSWER);
        assertThat(Failures.of(noChoices())).isEqualTo(UNUSABLE_ANSWER);
        assertThat(Failures.of(new NullPointerException("no content"))).isEqualTo(UNUSABLE_ANSWER);
        assertThat(Failures.of(thrownIn("dev.langchain4j.model.x.Mapper", "toAiMessage")))
                .isEqualTo(UNUSABLE_ANSWER);
        assertThat(Failures.of(thrownIn(new InternalServerException("no choices"), "dev.langchain4j.X", "doChat")))
                .isEqualTo(UNUSABLE_ANSWER);
    }

    @Test
    void aRequestThatCannotBeMadeIsNotBilled() {
        assertThat(Failures.of(thrownIn("dev.langchain4j.model.x.Mapper", "toChatRequest")))
                .isEqualTo(REJECTED);
        assertThat(Failures.of(thrownIn(new NullPointerException(), "dev.langchain4j.model.x.Mapper", "createRequest")))
                .isEqualTo(REJECTED);
        assertThat(Failures.of(new RuntimeException(unwritable()))).isEqualTo(REJECTED);
    }

    @Test
    void aRefusalOfOursFurtherInLeavesNothingToBook() {
        LimitExceededException refusal = new LimitExceededException(
                "used up", "global", "1 tokens per 1h", 2, 1, null, RefusalReason.NEVER_FITS);

        assertThat(Failures.of(refusal)).isEqualTo(REJECTED);
        assertThat(Failures.of(new NullPointerException().initCause(refusal))).isEqualTo(REJECTED);
    }

    @Test
    void aRingOfCausesEnds() {
        RuntimeException first = new RuntimeException("first");
        first.initCause(new RuntimeException("second", first));

        assertThat(Failures.of(first)).isEqualTo(REJECTED);
    }

    private static RuntimeException noChoices() {
        try {
            Object choice = List.of().get(0);
            throw new AssertionError(choice);
        } catch (IndexOutOfBoundsException e) {
            return e;
        }
    }

    private static JsonProcessingException unreadable() {
        try {
            throw new AssertionError(new ObjectMapper().readTree("{nonsense"));
        } catch (JsonProcessingException e) {
            return e;
        }
    }

    private static JsonProcessingException unwritable() {
        try {
            throw new AssertionError(new ObjectMapper().writeValueAsString(new Object()));
        } catch (JsonProcessingException e) {
            return e;
        }
    }

    private static Throwable thrownIn(String type, String method) {
        return thrownIn(new IllegalArgumentException("text cannot be null or blank"), type, method);
    }

    private static Throwable thrownIn(Throwable thrown, String type, String method) {
        thrown.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("dev.langchain4j.internal.ValidationUtils", "ensureNotBlank", "", 1),
            new StackTraceElement(type, method, "", 1),
            new StackTraceElement("dev.langchain4j.model.x.XChatModel", "doChat", "", 1),
            new StackTraceElement("app.Main", "readResponse", "", 1),
        });
        return thrown;
    }
}
