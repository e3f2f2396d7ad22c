package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j's other models through Micronaut")
class OtherModelsMicronautTest extends LangChain4jOtherModels {
    private final InProcess way = new InProcess();
    private final MicronautBeans beans = new MicronautBeans(way.meter());

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
