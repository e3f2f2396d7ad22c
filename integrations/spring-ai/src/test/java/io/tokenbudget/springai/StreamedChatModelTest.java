package io.tokenbudget.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.ai.example.StreamedLoopModel.chunk;
import static org.springframework.ai.example.StreamedLoopModel.finished;
import static org.springframework.ai.example.StreamedLoopModel.toolCall;
import static org.springframework.ai.example.StreamedLoopModel.usageOnly;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.core.metering.TextTokens;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.example.StreamedLoopModel;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.retry.NonTransientAiException;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@DisplayName("C5 streams of a wrapped model")
class StreamedChatModelTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String PIECE = "some words more ";

    private Books books = Books.unlimited();
    private StreamedLoopModel model = model();

    private StreamedLoopModel model() {
        return new StreamedLoopModel(
                MeteredToolCallingManager.wrap(ToolCallingManager.builder().build(), books.meter));
    }

    private void use(Books other) {
        books = other;
        model = model();
    }

    private ChatModel metered() {
        return metered(model);
    }

    private ChatModel metered(ChatModel other) {
        return MeteredChatModel.wrap(other, books.meter);
    }

    private static List<ChatResponse> all(Flux<ChatResponse> stream) {
        return stream.collectList().block(SOON);
    }

    private void assertBooked(long used, long metered) {
        assertThat(books.used()).as("used").isEqualTo(used);
        assertThat(books.calls().metered()).as("metered").isEqualTo(metered);
        assertAtRest();
    }

    private void assertAtRest() {
        assertThat(books.held()).as("held").isZero();
        assertThat(books.openStreams()).as("open streams").isZero();
        assertThat(books.calls().unmetered()).as("unmetered").isZero();
        assertThat(books.meter.current()).as("open on this thread").isNull();
        assertThat(books.notices).isEmpty();
    }

    static Stream<Arguments> usages() {
        return Stream.of(
                Arguments.of("OpenAI 1.x", List.of("0", "0", "0", "100+10", "100+10")),
                Arguments.of("OpenAI 2.0", List.of("0", "0", "0", "0", "100+10")),
                Arguments.of("Anthropic 1.x", List.of("100+1", "100+1", "100+1", "100+10", "100+10")),
                Arguments.of("Anthropic 2.0, Ollama, Mistral", List.of("0", "0", "0", "100+10")),
                Arguments.of("Bedrock", List.of("0", "0", "100+10")),
                Arguments.of("Gemini", List.of("100+2", "100+5", "100+10")),
                Arguments.of("one that shrinks", List.of("100+10", "100+2", "0")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt-4o", "gpt-3.5-turbo", "claude-sonnet-4", "llama3"})
    @DisplayName("C3, C4: what flows is counted as the model counts")
    void whatFlowsIsCountedAsTheModelCounts(String name) {
        String text = "A fox jumps over the lazy dog, \u4e2d\u6587 and 12345 numbers. ".repeat(40);
        long tokens = books.meter.tokens(name).text(text);
        List<String> pieces = List.of(text.split("(?<=\\G.{7})", -1));
        model.sends(Stream.concat(pieces.stream().map(piece -> chunk(piece, 0, 0)), Stream.of(finished("stop")))
                .toArray(ChatResponse[]::new));

        all(metered().stream(
                new Prompt("question", ChatOptions.builder().model(name).build())));

        assertThat(books.output()).isBetween(tokens - 1, tokens + 1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("usages")
    @DisplayName("C2, C4: the largest usage of a subscription is booked and never a sum")
    void theLargestUsageOfASubscriptionIsBooked(String provider, List<String> usages) {
        Stream<ChatResponse> texts = usages.stream()
                .map(usage -> usage.equals("0")
                        ? chunk(PIECE, 0, 0)
                        : chunk(PIECE, 100, Integer.parseInt(usage.substring(4))));
        model.sends(Stream.concat(texts, Stream.of(finished("stop"))).toArray(ChatResponse[]::new));

        all(metered().stream(new Prompt("question")));

        assertBooked(110, 1);
        assertThat(books.calls().usageMissing()).isZero();
    }

    static Stream<Arguments> beginnings() {
        ChatResponse began = chunk("", 100, 1);
        ChatResponse text = chunk(PIECE, 100, 1);
        return Stream.of(
                Arguments.of("the usage is repeated", List.of(began, text, text)),
                Arguments.of("the usage is not repeated", List.of(began, chunk(PIECE, 0, 0), chunk(PIECE, 0, 0))),
                Arguments.of("an error event brings it once more", List.of(began, text, text, usageOnly(100, 1))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("beginnings")
    @DisplayName("C5: a stream that was cut off, and ends as if all were well, is booked at what flowed")
    void aStreamThatWasCutOffIsBookedAtWhatFlowed(String how, List<ChatResponse> chunks) {
        model.sends(chunks.toArray(ChatResponse[]::new));

        all(metered().stream(new Prompt("question")));

        assertBooked(100 + TextTokens.estimate(PIECE + PIECE), 1);
        assertThat(books.calls().usageMissing()).isOne();
    }

    @Test
    @DisplayName("C4: output that is reported as zero is counted where some flowed")
    void outputThatIsReportedAsZeroIsCountedWhereSomeFlowed() {
        model.sends(chunk("Yes", 0, 0), usageOnly(100, 0));
        all(metered().stream(new Prompt("hello")));
        assertBooked(100 + TextTokens.estimate("Yes"), 1);

        model.sends(usageOnly(100, 0));
        all(metered().stream(new Prompt("hello")));
        assertBooked(200 + TextTokens.estimate("Yes"), 2);
    }

    @Test
    @DisplayName("C4: usage that comes before the last text is that of the whole where the provider says why it ends")
    void usageBeforeTheLastTextIsThatOfTheWholeWhereTheAnswerIsFinished() {
        model.sends(chunk(PIECE, 100, 10), chunk(PIECE, 0, 0), finished("stop"));

        all(metered().stream(new Prompt("question")));

        assertBooked(110, 1);
        assertThat(books.calls().usageMissing()).isZero();
    }

    @Test
    void metersEveryWayToStream() {
        for (int i = 0; i < 3; i++) {
            model.sends(chunk("answer", 10, 1));
        }

        assertThat(metered().stream("text").collectList().block(SOON)).containsExactly("answer");
        assertThat(metered().stream(new UserMessage("message")).collectList().block(SOON))
                .containsExactly("answer");
        assertThat(all(metered().stream(new Prompt("prompt")))).hasSize(1);

        assertBooked(33, 3);
    }

    @Test
    void holdsAtEachSubscriptionAndNotBefore() {
        model.sends(chunk("one", 10, 1)).sends(chunk("two", 20, 2));
        Flux<ChatResponse> stream = metered().stream(new Prompt("question"));
        assertThat(books.held()).isZero();

        all(stream.doOnNext(chunk -> assertThat(books.held()).isPositive()));
        all(stream);

        assertBooked(33, 2);
    }

    @Test
    void theApplicationGetsTheSameObjectsInTheSameOrder() {
        ChatResponse[] chunks = {chunk("a", 0, 0), chunk("b", 0, 0), usageOnly(10, 2)};
        model.sends(chunks);

        List<ChatResponse> seen = all(metered().stream(new Prompt("question")));

        assertThat(seen).hasSize(3);
        for (int i = 0; i < chunks.length; i++) {
            assertThat(seen.get(i)).isSameAs(chunks[i]);
        }
    }

    @Test
    void C4_aStreamWithoutUsageCostsItsEstimateAndWhatFlowed() {
        model.sends(chunk("These are about ", 0, 0), chunk("seven tokens of text.", 0, 0));

        all(metered().stream(new Prompt("question")));

        assertThat(books.input()).isPositive();
        assertThat(books.output()).isBetween(5L, 15L);
        assertThat(books.calls().usageMissing()).isEqualTo(1);
        assertAtRest();
    }

    @Test
    void reasoningIsCountedOnceWhetherItComesInPiecesOrGrows() {
        List<List<String>> ways = List.of(
                List.of("First think. ", "Then think again. ", "Then answer."),
                List.of(
                        "First think. ",
                        "First think. Then think again. ",
                        "First think. Then think again. Then answer."));
        List<Long> outputs = new ArrayList<>();
        for (List<String> way : ways) {
            use(Books.unlimited());
            model.sends(Flux.fromIterable(way)
                    .map(text -> new ChatResponse(
                            List.of(new Generation(new AssistantMessage("", Map.of("reasoningContent", text)))))));
            all(metered().stream(new Prompt("question")));
            outputs.add(books.output());
        }

        assertThat(outputs.get(0)).isBetween(8L, 16L).isEqualTo(outputs.get(1));
    }

    @Test
    void whatFlowedIsBookedWhereverTheApplicationCancels() {
        long before = 0;
        for (int taken = 1; taken < 30; taken++) {
            use(Books.unlimited());
            model.sends(Flux.range(0, 40).map(i -> chunk(PIECE, 0, 0)));
            AtomicReference<Long> most = new AtomicReference<>(0L);

            all(metered().stream(new Prompt("question"))
                    .doOnNext(chunk -> most.set(books.held()))
                    .take(taken));

            assertThat(books.used()).isGreaterThan(before).isLessThanOrEqualTo(most.get());
            assertThat(model.closedEarly).hasValue(1);
            assertAtRest();
            before = books.used();
        }
    }

    @Test
    void aStreamIsCutAtTheProviderWhenNoMoreCanBeHeld() {
        use(Books.limitedTo(1500));
        model.sends(Flux.range(0, 1_000_000).map(i -> chunk(PIECE, 0, 0)));
        List<Throwable> errors = new ArrayList<>();
        List<String> after = new ArrayList<>();

        metered().stream(new Prompt("question"))
                .subscribe(
                        chunk -> {
                            if (!errors.isEmpty()) {
                                after.add("chunk");
                            }
                        },
                        errors::add,
                        () -> after.add("complete"));

        assertThat(errors).singleElement().isInstanceOf(LimitExceededException.class);
        assertThat(after).isEmpty();
        assertThat(model.closedEarly).hasValue(1);
        assertThat(books.used()).isBetween(1000L, 1520L);
        assertAtRest();
    }

    @Test
    void aBudgetThatIsUsedUpRefusesAtTheSubscription() {
        use(Books.limitedTo(5));
        Flux<ChatResponse> stream = metered().stream(new Prompt("question"));

        assertThatThrownBy(() -> all(stream)).isInstanceOf(LimitExceededException.class);

        assertThat(model.providerCalls).hasValue(0);
        assertBooked(0, 0);
    }

    @Test
    void C6_anErrorBeforeAnythingFlowedIsRefundedAndALaterOneIsNot() {
        NonTransientAiException thrown = new NonTransientAiException("HTTP 500");
        model.sends(Flux.error(thrown));
        assertThatThrownBy(() -> all(metered().stream(new Prompt("question")))).isSameAs(thrown);
        assertBooked(0, 1);

        model.sends(Flux.just(chunk(PIECE, 0, 0)).concatWith(Flux.error(new IOException("cut"))));
        assertThatThrownBy(() -> all(metered().stream(new Prompt("question")))).hasRootCauseMessage("cut");
        assertThat(books.input()).isPositive();
        assertThat(books.output()).isPositive();

        use(Books.unlimited());
        model.sends(Flux.just(chunk(PIECE, 50, 5)).concatWith(Flux.error(thrown)));
        assertThatThrownBy(() -> all(metered().stream(new Prompt("question")))).isSameAs(thrown);
        assertBooked(55, 1);
    }

    @Test
    void R4_anErrorOfTheApplicationsOwnCodeIsACancellation() {
        model.sends(chunk("a", 0, 0), chunk("b", 0, 0), usageOnly(10, 2));

        assertThatThrownBy(() -> all(metered().stream(new Prompt("question")).map(chunk -> {
                    throw new IllegalStateException("application");
                })))
                .hasMessage("application");

        assertThat(books.used()).isPositive();
        assertThat(books.output()).isOne();
        assertAtRest();
    }

    @Test
    void C7_aRetryIsACallOfItsOwn() {
        model.sends(Flux.error(new NonTransientAiException("HTTP 500"))).sends(chunk("answer", 10, 1));

        all(metered().stream(new Prompt("question")).retry(1));

        assertBooked(11, 2);
    }

    @Test
    void C1_aDecoratorOpensNoSecondChargeOnWhateverThreadItSubscribes() {
        ChatModel inner = metered();
        List<ChatModel> decorators = List.of(
                new Decorator(prompt -> inner.stream(prompt)),
                new Decorator(prompt -> inner.stream(prompt)
                        .map(chunk -> ChatResponse.builder().from(chunk).build())),
                new Decorator(prompt -> Flux.defer(() -> inner.stream(prompt))),
                new Decorator(prompt ->
                        Flux.just(prompt).publishOn(Schedulers.boundedElastic()).concatMap(inner::stream)),
                new Decorator(prompt -> inner.stream(prompt).subscribeOn(Schedulers.parallel())),
                new Decorator(prompt -> Flux.create(sink -> {
                    var unused = inner.stream(prompt).subscribe(sink::next, sink::error, sink::complete);
                })));
        for (ChatModel decorator : decorators) {
            model.sends(chunk("a", 0, 0), chunk("b", 100, 10));
            all(metered(decorator).stream(new Prompt("question")));
        }

        assertBooked(110L * decorators.size(), decorators.size());
    }

    @Test
    void C1_aCallMadeOfAStreamAndAStreamMadeOfACallAreChargedOnce() {
        ChatModel inner = metered();
        model.sends(chunk("a", 100, 10));
        ChatModel blocking = new Decorator(prompt -> Flux.empty()) {
            @Override
            public ChatResponse call(Prompt prompt) {
                return inner.stream(prompt).blockLast(SOON);
            }
        };
        metered(blocking).call(new Prompt("question"));
        assertBooked(110, 1);

        ChatModel answering = metered(prompt -> chunk("answer", 100, 10));
        ChatModel streaming = new Decorator(prompt -> Flux.defer(() -> Flux.just(answering.call(prompt))));
        all(metered(streaming).stream(new Prompt("question")));
        assertBooked(220, 2);
    }

    @Test
    void C1_whatTheApplicationAsksWhileItReadsAStreamIsACallOfItsOwn() {
        StreamedLoopModel other = model();
        model.sends(chunk("a", 0, 0), chunk("b", 100, 10));
        other.sends(chunk("c", 50, 5)).sends(chunk("d", 50, 5));

        all(metered().stream(new Prompt("question")).concatMap(chunk -> metered(other).stream(new Prompt("more"))));

        assertBooked(220, 3);
    }

    @Test
    void C1_whatTheApplicationAsksWhenItSubscribesIsACallOfItsOwn() {
        StreamedLoopModel guard = model();
        model.sends(chunk("a", 0, 0), chunk("b", 100, 10));
        guard.sends(chunk("c", 50, 5));

        all(metered().stream(new Prompt("question"))
                .doOnSubscribe(subscription -> all(metered(guard).stream(new Prompt("is this allowed?")))));

        assertBooked(165, 2);
    }

    @Test
    void C4_aStreamThatEndsAfterTheUsageOfItsBeginningCostsWhatFlowed() {
        model.sends(chunk("", 100, 1), chunk(PIECE.repeat(50), 0, 0));

        all(metered().stream(new Prompt("question")));

        assertThat(books.calls().usageMissing()).isOne();
        assertBooked(100 + TextTokens.estimate(PIECE.repeat(50)), 1);
    }

    private static class Decorator implements ChatModel {
        private final java.util.function.Function<Prompt, Flux<ChatResponse>> stream;

        Decorator(java.util.function.Function<Prompt, Flux<ChatResponse>> stream) {
            this.stream = stream;
        }

        @Override
        public ChatResponse call(Prompt prompt) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
            return stream.apply(prompt);
        }
    }

    /** The tool's argument. */
    public record Place(String city) {}

    private static Prompt withTool(java.util.function.Supplier<String> tool) {
        ToolCallback callback = FunctionToolCallback.builder("lookup", (Place place) -> tool.get())
                .inputType(Place.class)
                .build();
        return new Prompt(
                List.of(new UserMessage("question")),
                ToolCallingChatOptions.builder().toolCallbacks(callback).build());
    }

    @Test
    void C2_everyRoundOfAToolLoopIsHeldAndBookedByItself() {
        model.sends(chunk(PIECE, 0, 0), toolCall("lookup", 100, 10), usageOnly(100, 10))
                .sends(toolCall("lookup", 150, 20), usageOnly(150, 20))
                .sends(chunk(PIECE, 0, 0), chunk(PIECE, 200, 30), usageOnly(200, 30));
        List<Long> usedInTools = new ArrayList<>();
        List<Long> heldInTools = new ArrayList<>();

        all(metered().stream(withTool(() -> {
            usedInTools.add(books.used());
            heldInTools.add(books.held());
            return "mild";
        })));

        assertThat(usedInTools).containsExactly(110L, 280L);
        assertThat(heldInTools).containsExactly(0L, 0L);
        assertThat(books.calls().usageMissing()).isZero();
        assertBooked(510, 3);
    }

    @Test
    void C2_aToolLoopWithoutUsageIsEstimatedRoundByRound() {
        model.sends(chunk(PIECE, 0, 0), toolCall("lookup", 0, 0)).sends(chunk(PIECE, 0, 0));

        all(metered().stream(withTool(() -> "mild")));

        assertThat(books.calls().usageMissing()).isEqualTo(2);
        assertThat(books.calls().metered()).isEqualTo(2);
        assertThat(books.output()).isGreaterThan(10);
        assertAtRest();
    }

    @Test
    void C2_manyToolLoopsOfOneModelAtTheSameTimeAreToldApart() {
        Prompt shared = withTool(() -> "mild");
        List<Flux<ChatResponse>> streams = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            StreamedLoopModel one = model();
            one.sends(toolCall("lookup", 100, 10)).sends(chunk("answer", 150, 20));
            streams.add(metered(one).stream(shared).subscribeOn(Schedulers.parallel()));
        }

        all(Flux.merge(streams));

        assertBooked(280 * 8, 16);
    }

    @Test
    void C8_aRoundThatDoesNotFitEndsTheRunBeforeTheProviderIsCalled() {
        use(Books.limitedTo(430));
        model.sends(toolCall("lookup", 150, 20)).sends(chunk("never", 1, 1));

        assertThatThrownBy(() -> all(metered().stream(withTool(() -> "mild"))))
                .isInstanceOf(LimitExceededException.class);

        assertThat(model.providerCalls).hasValue(1);
        assertBooked(170, 1);
    }

    @Test
    void C8_aRefusalInsideAToolEndsTheRunInsteadOfBeingToldToTheModel() {
        use(Books.limitedTo(5000));
        ChatModel inner = metered(prompt -> chunk("never", 1, 1));
        Prompt tooLarge =
                new Prompt("text", ChatOptions.builder().maxTokens(10_000).build());
        model.sends(toolCall("lookup", 100, 10)).sends(chunk("never", 1, 1));

        assertThatThrownBy(() -> all(metered().stream(withTool(
                        () -> inner.call(tooLarge).getResult().getOutput().getText()))))
                .isInstanceOf(LimitExceededException.class);

        assertThat(model.providerCalls).hasValue(1);
        assertBooked(110, 1);
    }

    @Test
    void C6_whatAToolThrowsRefundsNoRoundThatIsDone() {
        model.sends(toolCall("no such tool", 100, 10));

        assertThatThrownBy(() -> all(metered().stream(withTool(() -> "mild")))).isInstanceOf(RuntimeException.class);

        assertBooked(110, 1);
    }

    @Test
    void C1_aModelCalledByAToolIsACallOfItsOwn() {
        StreamedLoopModel nested = model();
        nested.sends(toolCall("lookup", 30, 3)).sends(chunk("answer", 40, 4));
        model.sends(toolCall("lookup", 100, 10)).sends(chunk("answer", 150, 20));
        ChatModel inner = metered(nested);

        all(metered().stream(withTool(() -> {
            all(inner.stream(withTool(() -> "mild")));
            return "mild";
        })));

        assertBooked(280 + 77, 4);
    }

    @Test
    void aModelWithoutAMeteredManagerIsHeldAsOneRoundAndSettledInFull() {
        StreamedLoopModel plain =
                new StreamedLoopModel(ToolCallingManager.builder().build());
        plain.sends(toolCall("lookup", 100, 10)).sends(chunk("answer", 150, 20));

        all(metered(plain).stream(withTool(() -> "mild")));

        assertBooked(280, 1);
    }

    @Test
    void C10_pooledThreadsKeepNothing() {
        Scheduler single = Schedulers.newSingle("one thread");
        try {
            model.sends(toolCall("lookup", 100, 10)).sends(chunk("answer", 150, 20));
            all(metered().stream(withTool(() -> "mild")).subscribeOn(single).take(1));
            Object left = Flux.defer(() -> Flux.just(books.meter.current() == null))
                    .subscribeOn(single)
                    .blockLast(SOON);
            assertThat(left).isEqualTo(true);
        } finally {
            single.dispose();
        }
    }

    @Test
    void whatTheModelThrowsWhenItIsAskedForAStreamIsThrown() {
        ChatModel without = metered(prompt -> chunk("answer", 1, 1));

        assertThatThrownBy(() -> without.stream(
                        new Prompt("question", ChatOptions.builder().build())))
                .isInstanceOf(UnsupportedOperationException.class);

        assertBooked(0, 0);
    }
}
