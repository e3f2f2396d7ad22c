package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import io.tokenbudget.testkit.matrix.BlockingCallMatrix;
import io.tokenbudget.testkit.matrix.Layer;
import io.tokenbudget.testkit.matrix.ModelSpec;
import java.util.function.Supplier;

/** The matrix with LangChain4j's OpenAI model and AI services. */
abstract class LangChain4jMatrix extends BlockingCallMatrix<ChatModel> {
    @Override
    protected ChatModel model(ModelSpec spec) {
        return OpenAiChatModel.builder()
                .baseUrl(spec.baseUrl() + "/v1")
                .apiKey(spec.apiKey())
                .modelName(spec.modelName())
                .maxTokens(spec.maxOutputTokens())
                .maxRetries(spec.retries())
                .timeout(spec.timeout())
                .build();
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
    protected ChatModel decorated(Layer layer, ChatModel model) {
        return Decorators.around(layer, model);
    }

    interface Assistant {
        String answer(String question);
    }

    record Weather(Supplier<String> forecast) {
        @Tool("The weather of a town")
        String weather(@P("the town's name") String town) {
            return forecast.get();
        }
    }
}
