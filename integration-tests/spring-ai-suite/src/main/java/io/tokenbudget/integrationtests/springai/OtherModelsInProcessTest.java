package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.springai.MeteredModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Spring AI's other models in process")
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
