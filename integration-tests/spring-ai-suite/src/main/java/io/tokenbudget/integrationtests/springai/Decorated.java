package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.Layer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Decorators as applications write them; each gives an answer object of its own. */
abstract class Decorated implements ChatModel {
    private final Layer layer;
    private final ChatModel model;

    private Decorated(Layer layer, ChatModel model) {
        this.layer = layer;
        this.model = model;
    }

    static ChatModel by(Layer layer, ChatModel model) {
        return switch (layer.kind()) {
            case DECORATOR -> new Plain(layer, model);
            case OTHER_THREAD -> new OnOtherThread(layer, model);
            case OTHER_THREAD_THAT_FAILS -> new OnOtherThreadThatFails(layer, model);
            case CACHE -> new Cache(layer, model);
        };
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        ChatResponse answer = layer.around(prompt, () -> model.call(prompt));
        return ChatResponse.builder().from(answer).build();
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
        return model.stream(prompt)
                .map(chunk -> ChatResponse.builder().from(chunk).build());
    }

    @Override
    public ChatOptions getDefaultOptions() {
        return model.getDefaultOptions();
    }

    /** Overrides what 2.0 has instead, where {@link ChatModel#getDefaultOptions()} hands on to it. */
    public ChatOptions getOptions() {
        return model.getDefaultOptions();
    }

    private static final class Plain extends Decorated {
        Plain(Layer layer, ChatModel model) {
            super(layer, model);
        }
    }

    private static final class OnOtherThread extends Decorated {
        OnOtherThread(Layer layer, ChatModel model) {
            super(layer, model);
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
            return super.stream(prompt).subscribeOn(Schedulers.parallel());
        }
    }

    private static final class OnOtherThreadThatFails extends Decorated {
        OnOtherThreadThatFails(Layer layer, ChatModel model) {
            super(layer, model);
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
            return super.stream(prompt).subscribeOn(Schedulers.parallel());
        }
    }

    private static final class Cache extends Decorated {
        private final Map<String, List<ChatResponse>> streamed = new ConcurrentHashMap<>();

        Cache(Layer layer, ChatModel model) {
            super(layer, model);
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
            String key = prompt.getContents();
            return Flux.defer(() -> {
                List<ChatResponse> known = streamed.get(key);
                return known != null
                        ? Flux.fromIterable(known)
                        : super.stream(prompt)
                                .collectList()
                                .doOnNext(chunks -> streamed.put(key, chunks))
                                .flatMapIterable(chunks -> chunks);
            });
        }
    }
}
