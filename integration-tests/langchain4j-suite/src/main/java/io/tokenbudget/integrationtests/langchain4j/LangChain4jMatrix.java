package io.tokenbudget.integrationtests.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.listener.ChatModelRequestContext;
import dev.langchain4j.model.chat.listener.ChatModelResponseContext;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import io.tokenbudget.testkit.matrix.BlockingCallMatrix;
import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.Cell;
import io.tokenbudget.testkit.matrix.Layer;
import io.tokenbudget.testkit.matrix.ModelSpec;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The matrix with LangChain4j's OpenAI model and AI services. */
abstract class LangChain4jMatrix extends BlockingCallMatrix<ChatModel> {
    @Override
    protected ChatModel model(ModelSpec spec) {
        return builder(spec).build();
    }

    private static OpenAiChatModel.OpenAiChatModelBuilder builder(ModelSpec spec) {
        return OpenAiChatModel.builder()
                .baseUrl(spec.baseUrl() + "/v1")
                .apiKey(spec.apiKey())
                .modelName(spec.modelName())
                .maxTokens(spec.maxOutputTokens())
                .maxRetries(spec.retries())
                .timeout(spec.timeout());
    }

    @Override
    protected String ask(ChatModel model, String question) {
        return model.chat(question);
    }

    @Override
    protected String askWithTool(ChatModel model, String question, Supplier<String> tool) {
        return AiServices.builder(Assistant.class)
                .chatModel(model)
                .tools(new Weather(tool))
                .build()
                .answer(question);
    }

    @Override
    protected int askForNumber(ChatModel model, String question) {
        return AiServices.create(Counter.class, model).answer(question);
    }

    @Test
    @DisplayName("C6: listeners that throw change nothing in what is booked")
    void listenersThatThrowChangeNothing() {
        Cell cell = cell("listeners-throw");
        ChatModel model = metered(builder(cell.spec("ok"))
                .listeners(List.of(new ThrowingListener()))
                .build());

        assertThat(ask(model, "What will the weather be like?")).isNotEmpty();

        cell.assertBooked(Booking.TO_THE_TOKEN, 1);
    }

    @Override
    protected ChatModel decorated(Layer layer, ChatModel model) {
        return Decorators.around(layer, model);
    }

    interface Assistant {
        String answer(String question);
    }

    interface Counter {
        int answer(String question);
    }

    record ThrowingListener() implements ChatModelListener {
        @Override
        public void onRequest(ChatModelRequestContext context) {
            throw new IllegalStateException("before the call");
        }

        @Override
        public void onResponse(ChatModelResponseContext context) {
            throw new IllegalStateException("after the call");
        }
    }

    record Weather(Supplier<String> forecast) {
        @Tool("The weather of a town")
        String weather(@P("the town's name") String town) {
            return forecast.get();
        }
    }
}
