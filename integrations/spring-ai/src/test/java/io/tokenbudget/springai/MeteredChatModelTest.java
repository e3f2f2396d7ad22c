package io.tokenbudget.springai;

import static io.tokenbudget.springai.LoopingModel.usage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.core.metering.TextTokens;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.retry.NonTransientAiException;

@DisplayName("C1 one layer charges: a wrapped model")
class MeteredChatModelTest {
    private final Books books = Books.unlimited();
    private final LoopingModel model =
            new LoopingModel(ToolCallingManager.builder().build(), true);

    @Test
    void metersEveryWayToCall() {
        model.answers("one", usage(10, 1)).answers("two", usage(20, 2)).answers("three", usage(30, 3));
        ChatModel metered = MeteredChatModel.wrap(model, books.meter);

        assertThat(metered.call("text")).isEqualTo("one");
        assertThat(metered.call(new UserMessage("message"))).isEqualTo("two");
        assertThat(metered.call(new Prompt("prompt")).getResult().getOutput().getText())
                .isEqualTo("three");

        assertThat(books.used()).isEqualTo(66);
        assertThat(books.held()).isZero();
        assertThat(books.calls().metered()).isEqualTo(3);
    }

    @Test
    void C4_outputThatIsReportedAsZeroIsCountedWhereTheAnswerSaysAnything() {
        model.answers("Yes", usage(100, 0)).answers("", usage(100, 0));
        ChatModel metered = MeteredChatModel.wrap(model, books.meter);
        metered.call(new Prompt("hello"));
        assertThat(books.used()).isEqualTo(100 + TextTokens.estimate("Yes"));

        metered.call(new Prompt("hello"));
        assertThat(books.used()).isEqualTo(200 + TextTokens.estimate("Yes"));
        assertThat(books.held()).isZero();
    }

    @Test
    void chargesOnceThroughWrappersProxiesAndDecorators() {
        ChatModel inner = MeteredChatModel.wrap(model, books.meter);
        ChatModel proxy = (ChatModel) Proxy.newProxyInstance(
                ChatModel.class.getClassLoader(),
                new Class<?>[] {ChatModel.class},
                (self, method, arguments) -> method.invoke(inner, arguments));
        ChatModel decorator = prompt -> proxy.call(prompt);
        ChatModel outer = MeteredChatModel.wrap(decorator, books.meter);
        model.answers("one", usage(10, 1)).answers("two", usage(20, 2));

        outer.call("first");
        outer.call("second");

        assertThat(books.used()).isEqualTo(33);
        assertThat(books.held()).isZero();
        assertThat(books.calls().metered()).isEqualTo(2);
    }

    @Test
    void chargesOnceForADecoratorThatCopiesAnAnswerOfAnotherThread() {
        ChatModel inner = MeteredChatModel.wrap(model, books.meter);
        ChatModel decorator = MeteredChatModel.wrap(
                prompt -> ChatResponse.builder()
                        .from(CompletableFuture.supplyAsync(() -> inner.call(prompt))
                                .join())
                        .build(),
                books.meter);
        model.answers("one", usage(10, 1)).answers("two", usage(20, 2));

        decorator.call("first");
        decorator.call("second");

        assertThat(books.used()).isEqualTo(33);
        assertThat(books.held()).isZero();
        assertThat(books.calls().metered()).isEqualTo(2);
    }

    @Test
    void forwardsOptions() {
        ChatOptions own = ChatOptions.builder().model("mine").build();
        model.defaults = own;

        assertThat(MeteredChatModel.wrap(model, books.meter).getDefaultOptions())
                .isSameAs(own);
    }

    @Test
    void doesNotCallTheModelWhenRefused() {
        ChatModel metered = MeteredChatModel.wrap(model, Books.limitedTo(5).meter);

        assertThatThrownBy(() -> metered.call("text")).isInstanceOf(LimitExceededException.class);

        assertThat(model.providerCalls).isZero();
    }

    @Test
    void throwsWhatTheModelThrewAndRefunds() {
        NonTransientAiException thrown = new NonTransientAiException("HTTP 401");
        model.fails(thrown);

        assertThatThrownBy(() -> MeteredChatModel.wrap(model, books.meter).call("text"))
                .isSameAs(thrown);

        assertThat(books.used()).isZero();
        assertThat(books.held()).isZero();
        assertThat(books.meter.current()).isNull();
    }

    @Test
    void keepsTheInputOfAnAnswerThatCouldNotBeRead() {
        model.fails(new NullPointerException("choices"));

        assertThatThrownBy(() -> MeteredChatModel.wrap(model, books.meter).call("text"))
                .isInstanceOf(NullPointerException.class);

        assertThat(books.input()).isPositive();
        assertThat(books.output()).isZero();
        assertThat(books.held()).isZero();
    }

    @Test
    void anAnswerWithoutUsageCostsItsEstimateAndItsText() {
        model.answers("These are about seven tokens of text.", null);

        MeteredChatModel.wrap(model, books.meter).call("text");

        assertThat(books.input()).isPositive();
        assertThat(books.output()).isBetween(5L, 15L);
        assertThat(books.calls().usageMissing()).isEqualTo(1);
    }

    @Test
    void holdsTheEstimateDuringTheCall() {
        long[] held = new long[1];
        ChatModel metered = MeteredChatModel.wrap(
                prompt -> {
                    held[0] = books.held();
                    return new ChatResponse(List.of());
                },
                books.meter);

        metered.call(new Prompt("text", ChatOptions.builder().maxTokens(300).build()));

        assertThat(held[0]).isBetween(301L, 330L);
        assertThat(books.held()).isZero();
    }

    @Test
    void isEqualOnlyToItself() {
        ChatModel one = MeteredChatModel.wrap(model, books.meter);

        assertThat(List.of(one)).contains(one).doesNotContain(MeteredChatModel.wrap(model, books.meter));
        assertThat(Set.of(one)).contains(one);
        assertThat(one).asString().startsWith("Metered ");
    }
}
