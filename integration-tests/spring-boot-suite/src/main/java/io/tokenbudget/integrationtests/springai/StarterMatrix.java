package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.integrationtests.springboot.StarterBeans;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

/** Beans of the application: Spring AI's own models by their class, others by their interface. */
abstract class StarterMatrix extends SpringAiMatrix {
    private final InProcess way = new InProcess();
    private final StarterBeans beans = new StarterBeans(way.meter());

    StarterMatrix(Asking asking) {
        super(asking);
    }

    @Override
    protected Way way() {
        return way;
    }

    @Override
    ToolCallingManager manager() {
        return beans.bean(ToolCallingManager.class, super.manager());
    }

    @Override
    protected ChatModel metered(ChatModel model) {
        return model.getClass().getName().startsWith("org.springframework.ai.")
                ? beans.byClass(model)
                : beans.bean(ChatModel.class, model);
    }
}
