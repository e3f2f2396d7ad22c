package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.StreamingResponseHandler;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.language.StreamingLanguageModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.service.tool.ToolExecutionErrorHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("C9: whatever stands in for an object of the application is an object like any other")
class ProxiesTest {
    private static final Budget BUDGET = new Budget(100_000);

    static Stream<Object> proxies() {
        return Stream.of(
                MeteredChatModel.wrap(new ChatModel() {}, BUDGET.meter()),
                MeteredStreamingChatModel.wrap(new FakeStreamingModel(), BUDGET.meter()),
                MeteredModel.wrap(EmbeddingModel.class, segments -> Response.from(List.of()), BUDGET.meter()),
                new ToolErrors(BUDGET.meter()).telling((ToolExecutionErrorHandler) (error, context) -> "failed"),
                handlerOfAStream(),
                handleOfAStream(),
                handlerOfACompletion());
    }

    private static Object handlerOfAStream() {
        FakeStreamingModel model = new FakeStreamingModel();
        MeteredStreamingChatModel.wrap(model, BUDGET.meter()).doChat(question(), new FakeStreamingModel.Recorder());
        return model.handler();
    }

    private static Object handleOfAStream() {
        FakeStreamingModel model = new FakeStreamingModel();
        FakeStreamingModel.Recorder hears = new FakeStreamingModel.Recorder();
        MeteredStreamingChatModel.wrap(model, BUDGET.meter()).doChat(question(), hears);
        model.handler()
                .onPartialResponse(
                        new FakeStreamingModel.Piece("a"),
                        new FakeStreamingModel.Context(new FakeStreamingModel.Handle()));
        return hears.contexts.get(0).streamingHandle();
    }

    private static Object handlerOfACompletion() {
        List<StreamingResponseHandler<String>> handlers = new ArrayList<>();
        StreamingLanguageModel model = (prompt, handler) -> handlers.add(handler);
        MeteredModel.wrap(StreamingLanguageModel.class, model, BUDGET.meter())
                .generate("prompt", new MeteredModelTest.Hears());
        return handlers.get(0);
    }

    private static ChatRequest question() {
        return ChatRequest.builder().messages(UserMessage.from("hello")).build();
    }

    @ParameterizedTest
    @MethodSource("proxies")
    void isEqualToItselfAndFoundAgain(Object proxy) {
        assertThat(proxy.equals(proxy)).isTrue();
        assertThat(Set.of(proxy)).contains(proxy);
        assertThat(proxy.hashCode()).isEqualTo(proxy.hashCode());
        assertThat(proxy.equals("another")).isFalse();
        assertThat(proxy.toString()).isNotBlank();
    }

    @Test
    void modelsWhoseClassNamesAMissingOneAreMetered() throws Exception {
        Budget budget = new Budget(100_000);
        EmbeddingModel embeds = MeteredModel.wrap(
                EmbeddingModel.class, (EmbeddingModel) MissingClass.embedsAndNamesOne(), budget.meter());
        ChatModel chats = MeteredChatModel.wrap((ChatModel) MissingClass.chatsAndNamesOne(), budget.meter());

        assertThat(embeds.embed("a").content().dimension()).isEqualTo(1);
        assertThat(embeds.embedAll(List.of(TextSegment.from("b"))).content()).hasSize(1);
        assertThat(chats.chat(question()).aiMessage().text()).isEqualTo("hi");

        assertThat(budget.report().calls().metered()).isEqualTo(3);
        assertThat(budget.used()).isEqualTo(7 + 7 + 12);
        assertThat(budget.held()).isZero();
    }
}
