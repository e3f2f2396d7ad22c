package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.metering.CallKind;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C1: what is hooked says what it is asked for")
class HooksTest {

    /** Advices of calls that are no chat learn from it which call may be one layer of another. */
    @Test
    void everyCallThatIsNoChatIsOfAKind() {
        Map<String, CallKind> kinds = new TreeMap<>();
        for (Hook hook : Hooks.ALL) {
            if (hook.advice().contains("Other") || hook.advice().contains("Completion")) {
                kinds.put(hook.kind(), CallKind.in(hook.kind()));
            }
        }

        assertThat(kinds)
                .containsOnly(
                        Map.entry("audio transcription calls of LangChain4j", CallKind.TRANSCRIPTION),
                        Map.entry("audio transcription calls of Spring AI", CallKind.TRANSCRIPTION),
                        Map.entry("completion calls of LangChain4j", CallKind.COMPLETION),
                        Map.entry("embedding calls of LangChain4j", CallKind.EMBEDDING),
                        Map.entry("embedding calls of Spring AI", CallKind.EMBEDDING),
                        Map.entry("image calls of LangChain4j", CallKind.IMAGE),
                        Map.entry("image calls of Spring AI", CallKind.IMAGE),
                        Map.entry("moderation calls of LangChain4j", CallKind.MODERATION),
                        Map.entry("moderation calls of Spring AI", CallKind.MODERATION),
                        Map.entry("scoring calls of LangChain4j", CallKind.SCORING),
                        Map.entry("speech calls of LangChain4j", CallKind.SPEECH),
                        Map.entry("speech calls of Spring AI", CallKind.SPEECH));
    }
}
