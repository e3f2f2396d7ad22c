package io.tokenbudget.integrationtests.springai;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.testkit.matrix.ModelSpec;
import java.util.ServiceLoader;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;

/** How one generation of Spring AI builds its models. */
public interface Generation {

    /** What a request to Anthropic carries where the matrix wants no bound: without one it is refused. */
    int ANTHROPIC_MUST_HAVE_A_BOUND = 4096;

    /** A model as {@code spec} says; {@code tools} runs its tools where the generation does that in the model. */
    default ChatModel model(ModelSpec spec, ToolCallingManager tools) {
        return model(spec, tools, ObservationRegistry.NOOP);
    }

    /** The same, and {@code listeners} are told of its calls. */
    ChatModel model(ModelSpec spec, ToolCallingManager tools, ObservationRegistry listeners);

    /** A client of {@code model}; {@code tools} runs its tools where the generation does that in the client. */
    ChatClient client(ChatModel model, ToolCallingManager tools);

    /** Options for a prompt to {@code model} with {@code tools}: the model's own where the generation does not merge. */
    ChatOptions withTools(ChatModel model, ToolCallback... tools);

    /** How many pieces of a stream wait in the model for what comes next. */
    int piecesHeldBack();

    /** The one that the class path brings, else the first. */
    static Generation present() {
        for (Generation brought : ServiceLoader.load(Generation.class)) {
            return brought;
        }
        // Not linked where the class path brings another: it needs classes of 1.x.
        return new FirstGeneration();
    }
}
