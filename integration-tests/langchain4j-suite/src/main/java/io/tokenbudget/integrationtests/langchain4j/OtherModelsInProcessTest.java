package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.langchain4j.MeteredModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j's other models in process")
class OtherModelsInProcessTest extends OtherModelsMatrix {
    private final InProcess way = new InProcess();

    @Override
    Way way() {
        return way;
    }

    @Override
    <M> M metered(Class<M> type, M model) {
        return MeteredModel.wrap(type, model, way.meter());
    }

    @Override
    boolean seesEveryCall() {
        return false;
    }
}
