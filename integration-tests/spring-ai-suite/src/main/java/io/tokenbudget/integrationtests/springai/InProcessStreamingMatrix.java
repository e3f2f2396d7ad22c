package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.springai.MeteredToolCallingManager;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

/** Streams metered by the library's own wrappers. */
abstract class InProcessStreamingMatrix extends SpringAiStreamingMatrix {
    private final InProcess way = new InProcess();

    InProcessStreamingMatrix(Asking asking) {
        super(asking);
    }

    @Override
    protected Way way() {
        return way;
    }

    @Override
    ToolCallingManager manager() {
        return MeteredToolCallingManager.wrap(super.manager(), way.meter());
    }

    @Override
    protected ChatModel metered(ChatModel model) {
        return MeteredChatModel.wrap(model, way.meter());
    }
}
