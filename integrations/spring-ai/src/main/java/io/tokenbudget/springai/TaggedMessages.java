package io.tokenbudget.springai;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.Message;

/**
 * The messages of a prompt, and which streamed call sends them: the models of Spring AI 1.x hand the list of messages on as
 * it is to what runs the tools, on whatever thread that is.
 */
final class TaggedMessages extends AbstractList<Message> implements RandomAccess {
    private final List<Message> messages;

    /** The latest subscription. */
    volatile @Nullable StreamedCall call;

    TaggedMessages(List<Message> messages) {
        this.messages = messages;
    }

    @Override
    public Message get(int index) {
        return messages.get(index);
    }

    @Override
    public int size() {
        return messages.size();
    }

    @Override
    public Message set(int index, Message message) {
        return messages.set(index, message);
    }

    @Override
    public void add(int index, Message message) {
        messages.add(index, message);
    }

    @Override
    public Message remove(int index) {
        return messages.remove(index);
    }
}
