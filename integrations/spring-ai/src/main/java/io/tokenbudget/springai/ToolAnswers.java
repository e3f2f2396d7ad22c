package io.tokenbudget.springai;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.model.tool.ToolExecutionResult;

/** What the tools of one round answered. Stateless. */
final class ToolAnswers {
    private ToolAnswers() {}

    /** Whether {@code text} is part of what the model would be told next. */
    static boolean contain(ToolExecutionResult result, @Nullable String text) {
        List<Message> history = result.conversationHistory();
        if (text == null || text.isEmpty() || history == null || history.isEmpty()) {
            return false;
        }
        return history.get(history.size() - 1) instanceof ToolResponseMessage answers
                && answers.getResponses().stream()
                        .anyMatch(answer -> answer.responseData() != null
                                && answer.responseData().contains(text));
    }
}
