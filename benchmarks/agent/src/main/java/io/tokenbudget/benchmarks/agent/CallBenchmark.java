package io.tokenbudget.benchmarks.agent;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One LangChain4j call against a model that answers at once. Run it without the agent and with it
 * ({@code -jvmArgsAppend -javaagent:...}): the difference is what the agent adds. The length of the message shows what
 * of it is counting.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@State(Scope.Benchmark)
public class CallBenchmark {
    /** Characters of the user's message. */
    @Param({"5", "4000"})
    public int characters = 5;

    private final ChatModel model = new NoOpModel();

    /** One call. */
    @Benchmark
    public ChatResponse call() {
        return model.chat(ChatRequest.builder()
                .messages(UserMessage.from("a".repeat(characters)))
                .build());
    }
}
