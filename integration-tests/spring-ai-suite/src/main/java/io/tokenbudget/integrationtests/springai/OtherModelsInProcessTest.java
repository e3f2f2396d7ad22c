package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.springai.MeteredModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Spring AI's other models in process")
class OtherModelsInProcessTest extends SpringAiOtherModels {
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
