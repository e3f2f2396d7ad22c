package io.tokenbudget.springai;

import static io.tokenbudget.springai.LoopingModel.usage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenbudget.LimitExceededException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.metadata.ToolMetadata;

@DisplayName("C2 every provider round counts once: tool loops inside a call")
class RoundsTest {
    private final Books books = Books.unlimited();
    private final List<Long> usedWhenToolsRan = new ArrayList<>();
    private final List<Long> heldWhenToolsRan = new ArrayList<>();
    private Supplier<String> tool = () -> "done";
    private boolean returnDirect;

    private ToolCallingManager manager(Books of) {
        return MeteredToolCallingManager.wrap(ToolCallingManager.builder().build(), of.meter);
    }

    private LoopingModel looping() {
        return new LoopingModel(manager(books), true);
    }

    private Prompt prompt() {
        ToolCallback callback = FunctionToolCallback.builder(LoopingModel.TOOL, ignored -> {
                    usedWhenToolsRan.add(books.used());
                    heldWhenToolsRan.add(books.held());
                    return tool.get();
                })
                .description("looks something up")
                .inputType(Void.class)
                .toolMetadata(ToolMetadata.builder().returnDirect(returnDirect).build())
                .build();
        return new Prompt(
                "What is it?",
                ToolCallingChatOptions.builder()
                        .toolCallbacks(callback)
                        .maxTokens(50)
                        .build());
    }

    private String ask(ChatModel model, Books of) {
        return MeteredChatModel.wrap(model, of.meter)
                .call(prompt())
                .getResult()
                .getOutput()
                .getText();
    }

    @Test
    void settlesEachRoundWithItsShareOfTheSum() {
        LoopingModel model = looping()
                .asksForTool(usage(100, 10))
                .asksForTool(usage(150, 20))
                .answers("It is this.", usage(200, 30));

        assertThat(ask(model, books)).isEqualTo("It is this.");

        assertThat(usedWhenToolsRan).containsExactly(110L, 280L);
        assertThat(heldWhenToolsRan).containsExactly(0L, 0L);
        assertThat(books.input()).isEqualTo(450);
        assertThat(books.output()).isEqualTo(60);
        assertThat(books.held()).isZero();
        assertThat(books.calls().metered()).isEqualTo(3);
    }

    @Test
    void takesRoundsThatAreNotSummedAsTheyAre() {
        LoopingModel model = new LoopingModel(manager(books), false)
                .asksForTool(usage(100, 40))
                .asksForTool(usage(120, 20))
                .answers("It is this.", usage(130, 30));

        ask(model, books);

        assertThat(books.used()).isEqualTo(140 + 140 + 160);
    }

    @Test
    void takesEqualRoundsThatAreNotSummedAsTheyAre() {
        LoopingModel model = new LoopingModel(manager(books), false)
                .asksForTool(usage(100, 10))
                .answers("It is this.", usage(100, 10));

        ask(model, books);

        assertThat(books.used()).isEqualTo(220);
    }

    @Test
    void aRoundThatAsksForToolsWithoutUsageCostsItsEstimateAndTheToolCall() {
        LoopingModel model = looping().asksForTool(null).answers("It is this.", usage(150, 20));

        ask(model, books);

        assertThat(usedWhenToolsRan)
                .singleElement()
                .satisfies(used -> assertThat(used).isGreaterThan(10));
        assertThat(books.output()).isBetween(28L, 35L);
        assertThat(books.calls().usageMissing()).isEqualTo(1);
    }

    @Test
    void keepsTheEstimateOfARoundWithoutUsageAndNotTheEarlierSum() {
        LoopingModel model = looping().asksForTool(usage(100, 10)).answers("It is this.", null);

        ask(model, books);

        assertThat(books.calls().usageMissing()).isEqualTo(1);
        assertThat(books.input()).isBetween(101L, 199L);
        assertThat(books.output()).isBetween(11L, 20L);
    }

    @Test
    void aModelCalledByAToolIsACallOfItsOwn() {
        LoopingModel inner = looping().answers("inner", usage(70, 7));
        ChatModel meteredInner = MeteredChatModel.wrap(inner, books.meter);
        tool = () -> meteredInner.call("and what is that?");
        LoopingModel outer = looping().asksForTool(usage(100, 10)).answers("It is this.", usage(150, 20));

        ask(outer, books);

        assertThat(books.used()).isEqualTo(110 + 77 + 170);
        assertThat(books.calls().metered()).isEqualTo(3);
    }

    @Test
    void aToolThatReturnsDirectlyOpensNoRound() {
        returnDirect = true;
        LoopingModel model = looping().asksForTool(usage(100, 10));

        assertThat(ask(model, books)).contains("done");

        assertThat(books.used()).isEqualTo(110);
        assertThat(books.held()).isZero();
        assertThat(books.calls().metered()).isEqualTo(1);
    }

    @Test
    void managersThatHandOnToAnotherEndARoundOnce() {
        ToolCallingManager nested = MeteredToolCallingManager.wrap(manager(books), books.meter);
        LoopingModel model =
                new LoopingModel(nested, true).asksForTool(usage(100, 10)).answers("It is this.", usage(150, 20));

        ask(model, books);

        assertThat(books.used()).isEqualTo(280);
        assertThat(books.calls().metered()).isEqualTo(2);
    }

    @Test
    void aLoopThatAToolRunsByItselfLeavesTheCallAroundItInItsTools() {
        ToolCallingManager manager = manager(books);
        LoopingModel inner = new LoopingModel(manager, true).answers("inner", usage(70, 7));
        ChatModel meteredInner = MeteredChatModel.wrap(inner, books.meter);
        boolean[] within = {false};
        tool = () -> {
            if (within[0]) {
                return "done";
            }
            within[0] = true;
            manager.executeToolCalls(prompt(), LoopingModel.asking());
            return meteredInner.call("and what is that?");
        };
        LoopingModel outer =
                new LoopingModel(manager, true).asksForTool(usage(100, 10)).answers("It is this.", usage(150, 20));

        ask(outer, books);

        assertThat(books.used()).isEqualTo(110 + 77 + 170);
        assertThat(books.calls().metered()).isEqualTo(3);
        assertThat(heldWhenToolsRan).containsOnly(0L);
    }

    @Test
    void refusesTheRoundThatDoesNotFitAfterTheToolsHaveRun() {
        Books tight = Books.limitedTo(250);
        LoopingModel model = new LoopingModel(manager(tight), true)
                .asksForTool(usage(150, 10))
                .answers("never asked for", usage(150, 20));

        assertThatThrownBy(() -> ask(model, tight)).isInstanceOf(LimitExceededException.class);

        assertThat(model.providerCalls).isEqualTo(1);
        assertThat(tight.used()).isEqualTo(160);
        assertThat(tight.held()).isZero();
    }

    @Test
    void anExceptionOfAToolChangesNothingForTheRoundThatAskedForIt() {
        tool = () -> {
            throw new IllegalStateException("the tool's own");
        };
        ToolCallingManager strict = MeteredToolCallingManager.wrap(
                ToolCallingManager.builder()
                        .toolExecutionExceptionProcessor(thrown -> {
                            throw thrown;
                        })
                        .build(),
                books.meter);
        LoopingModel model = new LoopingModel(strict, true).asksForTool(usage(100, 10));

        assertThatThrownBy(() -> ask(model, books)).hasMessageContaining("the tool's own");

        assertThat(books.used()).isEqualTo(110);
        assertThat(books.held()).isZero();
        assertThat(books.meter.current()).isNull();
    }

    @Test
    void aFailureInALaterRoundLeavesTheEarlierOnesBooked() {
        LoopingModel model = looping()
                .asksForTool(usage(100, 10))
                .fails(new org.springframework.ai.retry.TransientAiException("503"));

        assertThatThrownBy(() -> ask(model, books)).hasMessage("503");

        assertThat(books.used()).isEqualTo(110);
        assertThat(books.held()).isZero();
    }

    @Test
    void aManagerUsedOutsideACallDoesNothing() {
        LoopingModel model = new LoopingModel(manager(books), true)
                .asksForTool(usage(100, 10))
                .answers("unmetered", usage(1, 1));

        model.call(prompt());

        assertThat(books.used()).isZero();
        assertThat(books.calls().metered()).isZero();
    }

    @Test
    void aLoopWithoutAMeteredManagerIsOneRoundSettledInFull() {
        LoopingModel model = new LoopingModel(ToolCallingManager.builder().build(), true)
                .asksForTool(usage(100, 10))
                .answers("It is this.", usage(150, 20));

        ask(model, books);

        assertThat(books.used()).isEqualTo(280);
        assertThat(books.calls().metered()).isEqualTo(1);
    }

    @Test
    @DisplayName("C8: a refusal inside a tool is not told to the model")
    void aRefusalInsideAToolEndsTheCall() {
        Books tight = Books.limitedTo(1200);
        LoopingModel inner = looping().answers("never asked for", usage(1, 1));
        ChatModel meteredInner = MeteredChatModel.wrap(inner, tight.meter);
        tool = () -> meteredInner
                .call(new Prompt("a tool's own question"))
                .getResult()
                .getOutput()
                .getText();
        LoopingModel outer = new LoopingModel(manager(tight), true)
                .asksForTool(usage(300, 10))
                .answers("never asked for", usage(310, 20));

        assertThatThrownBy(() -> ask(outer, tight)).isInstanceOf(LimitExceededException.class);

        assertThat(outer.providerCalls).isEqualTo(1);
        assertThat(inner.providerCalls).isZero();
        assertThat(tight.used()).isEqualTo(310);
        assertThat(tight.held()).isZero();
        assertThat(tight.meter.current()).isNull();
    }

    @Test
    @DisplayName("C8: an application that handles a refusal inside its tool goes on")
    void aRefusalThatTheToolHandlesEndsNothing() {
        Books tight = Books.limitedTo(1200);
        ChatModel meteredInner = MeteredChatModel.wrap(looping(), tight.meter);
        tool = () -> {
            assertThatThrownBy(() -> meteredInner.call("a tool's own question"))
                    .isInstanceOf(LimitExceededException.class);
            return "something cheaper";
        };
        LoopingModel outer = new LoopingModel(manager(tight), true)
                .asksForTool(usage(300, 10))
                .answers("It is this.", usage(310, 20));

        assertThat(ask(outer, tight)).isEqualTo("It is this.");

        assertThat(tight.used()).isEqualTo(640);
    }

    @Test
    @DisplayName("C8: a loop around the model ends at its next call, and a later one goes on")
    void aRefusalToldByAToolEndsALoopAroundTheModel() {
        LoopingModel model = looping().answers("It is this.", usage(10, 1));
        Books tight = Books.limitedTo(2500);
        ChatModel metered = MeteredChatModel.wrap(model, tight.meter);
        Throwable refusal = catchThrowable(() -> metered.call("word ".repeat(5000)));
        Message told = new ToolResponseMessage(List.of(
                new ToolResponseMessage.ToolResponse("call-1", LoopingModel.TOOL, "failed: " + refusal.getMessage())));

        assertThatThrownBy(() -> metered.call(new UserMessage("What is it?"), told))
                .isSameAs(refusal);
        assertThat(model.providerCalls).isZero();
        assertThat(tight.meter.current()).isNull();

        assertThat(metered.call(told, new UserMessage("And now?"))).isEqualTo("It is this.");
        assertThat(tight.used()).isEqualTo(11);
    }
}
