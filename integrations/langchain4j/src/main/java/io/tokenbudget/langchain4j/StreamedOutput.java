package io.tokenbudget.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.tokenbudget.core.metering.OutputCounter;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the output of one stream by its signals: text, thinking, and calls of tools, which some providers give bit by bit
 * and others as a whole. Thread-safe: guarded by itself.
 */
final class StreamedOutput {
    private static final Reflected TEXT = Reflected.method("text");
    private static final Reflected INDEX = Reflected.method("index");
    private static final Reflected NAME = Reflected.method("name");
    private static final Reflected PARTIAL_ARGUMENTS = Reflected.method("partialArguments");
    private static final Reflected WHOLE_CALL = Reflected.method("toolExecutionRequest");

    private final OutputCounter counter;
    private final Set<Object> toolsBegun = new HashSet<>();

    /** @param counter counts as the stream's model would */
    StreamedOutput(OutputCounter counter) {
        this.counter = counter;
    }

    /** By how many tokens the output has grown with {@code said}, the argument of {@code signal}. */
    synchronized long add(String signal, @Nullable Object said) {
        return switch (signal) {
            case "onPartialResponse", "onPartialThinking" -> add(said instanceof String ? said : TEXT.get(said));
            case "onPartialToolCall" -> {
                boolean first = toolsBegun.add(String.valueOf(INDEX.get(said)));
                yield (first ? add(NAME.get(said)) : 0) + add(PARTIAL_ARGUMENTS.get(said));
            }
            case "onCompleteToolCall" ->
                toolsBegun.contains(String.valueOf(INDEX.get(said))) ? 0 : call(WHOLE_CALL.get(said));
            default -> 0;
        };
    }

    private long call(@Nullable Object call) {
        return call instanceof ToolExecutionRequest request ? add(request.name()) + add(request.arguments()) : 0;
    }

    private long add(@Nullable Object text) {
        return text instanceof CharSequence piece ? counter.add(piece) : 0;
    }
}
