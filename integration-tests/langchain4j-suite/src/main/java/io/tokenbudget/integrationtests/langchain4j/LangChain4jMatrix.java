package io.tokenbudget.integrationtests.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.listener.ChatModelRequestContext;
import dev.langchain4j.model.chat.listener.ChatModelResponseContext;
import dev.langchain4j.service.AiServices;
import io.tokenbudget.testkit.matrix.BlockingCallMatrix;
import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.Cell;
import io.tokenbudget.testkit.matrix.Deviation;
import io.tokenbudget.testkit.matrix.KnownDeviation;
import io.tokenbudget.testkit.matrix.Layer;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.matrix.Row;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The matrix with LangChain4j's models and AI services, once for each provider on the class path. */
@ParameterizedClass
@MethodSource("providers")
abstract class LangChain4jMatrix extends BlockingCallMatrix<ChatModel> {
    @Parameter
    @SuppressWarnings("NullAway.Init") // before all tests
    Provider provider;

    static List<Provider> providers() {
        return Line.present().providers();
    }

    @Override
    protected Provider provider() {
        return provider;
    }

    @Override
    protected List<Deviation> deviations() {
        return KnownDeviation.present(Deviations.ALL, Line.present(), provider, false);
    }

    @Override
    protected ChatModel model(ModelSpec spec) {
        return Models.blocking(spec).build(ChatModel.class);
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
    @Row(provider = "`ok`, and a listener throws before and after the call", booked = "to the token")
    void listenersThatThrowChangeNothing() {
        Cell cell = cell("listeners-throw");
        ChatModel model = metered(Models.blocking(cell.spec("ok"))
                .with("listeners", List.of(new ThrowingListener()))
                .build(ChatModel.class));

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
