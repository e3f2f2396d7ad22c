package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.integrationtests.springboot.StarterBeans;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import java.lang.reflect.Modifier;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

/** Streams of beans that the application declares by their interface, with a class of its own around what is final. */
abstract class StarterStreamingMatrix extends SpringAiStreamingMatrix {
    private final InProcess way = new InProcess();
    private final StarterBeans beans = new StarterBeans(way.meter());

    StarterStreamingMatrix(Asking asking) {
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
        boolean isObserved = Modifier.isFinal(model.getClass().getModifiers())
                && model.getClass().getName().startsWith("org.springframework.ai.");
        return beans.bean(ChatModel.class, isObserved ? new Passing(model) : model);
    }
}
