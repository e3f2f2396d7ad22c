package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.langchain4j.MeteredModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j's other models in process")
class OtherModelsInProcessTest extends LangChain4jOtherModels {
    private final InProcess way = new InProcess();

    @Override
    protected Way way() {
        return way;
    }

    @Override
    protected <M> M metered(Class<M> type, M model) {
        return MeteredModel.wrap(type, model, way.meter());
    }

    @Override
    protected boolean seesEveryCall() {
        return false;
    }
}
