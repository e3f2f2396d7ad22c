package io.tokenbudget.integrationtests.springai;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.springai.MeteredModel;
import io.tokenbudget.springai.MeteredObservations;
import io.tokenbudget.springai.MeteredToolCallingManager;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

@DisplayName("Listeners that throw, of Spring AI's models in process")
class ThrowingListenersInProcessTest extends ThrowingListenersMatrix {
    private final InProcess way = new InProcess();

    @Override
    Way way() {
        return way;
    }

    @Override
    ToolCallingManager manager() {
        return MeteredToolCallingManager.wrap(ToolCallingManager.builder().build(), way.meter());
    }

    @Override
    ChatModel metered(ChatModel model) {
        return MeteredChatModel.wrap(model, way.meter());
    }

    @Override
    <M> M metered(Class<M> type, M model) {
        return MeteredModel.wrap(type, model, way.meter());
    }

    @Override
    void prepare(ObservationRegistry listeners) {
        listeners.observationConfig().observationFilter(MeteredObservations.filter(way.meter()));
    }
}
