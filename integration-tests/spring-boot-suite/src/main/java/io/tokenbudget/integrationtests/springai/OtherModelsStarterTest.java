package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.integrationtests.springboot.StarterBeans;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Spring AI's other models through the starter")
class OtherModelsStarterTest extends SpringAiOtherModels {
    private final InProcess way = new InProcess();
    private final StarterBeans beans = new StarterBeans(way.meter());

    @Override
    protected Way way() {
        return way;
    }

    @Override
    protected <M> M metered(Class<M> type, M model) {
        return beans.bean(type, model);
    }

    @Override
    protected boolean seesEveryCall() {
        return false;
    }
}
