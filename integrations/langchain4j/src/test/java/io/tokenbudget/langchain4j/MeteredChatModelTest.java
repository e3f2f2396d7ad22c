package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.listener.ChatModelRequestContext;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.LimitExceededException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A metered chat model")
class MeteredChatModelTest {
    private final Budget budget = new Budget(1000);
    private final Fake fake = new Fake();
    private final ChatModel model = MeteredChatModel.wrap(fake, budget.meter());

    @Test
    void booksWhatTheAnswerCost() {
        ChatResponse response = model.chat(request());

        assertThat(response).isSameAs(fake.response);
        assertThat(budget.used()).isEqualTo(70);
        assertThat(budget.held()).isZero();
    }

    @Test
    void holdsTheEstimateWhileTheCallRuns() {
        fake.during = () -> assertThat(budget.held()).isGreaterThan(200).isLessThan(220);

        model.chat(request());

        assertThat(fake.calls).isOne();
    }

    @Test
    void metersEveryWayToCallOnce() {
        assertThat(model.chat("hello")).isEqualTo("hi");
        model.chat(UserMessage.from("hello"));
        model.chat(List.of(UserMessage.from("hello")));
        model.chat(request());
        model.doChat(request());

        assertThat(fake.calls).isEqualTo(5);
        assertThat(budget.used()).isEqualTo(5 * 70);
        assertThat(budget.report().reservations().settled()).isEqualTo(5);
    }

    @Test
    void neverReachesTheModelWhenTheBudgetIsUsedUp() {
        for (int i = 0; i < 13; i++) {
            try {
                model.chat(request());
            } catch (LimitExceededException refused) {
                break;
            }
        }
        int calls = fake.calls;

        assertThatThrownBy(() -> model.chat(request()))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("global")
                .hasMessageContaining("1000 tokens per 1h");
        assertThat(fake.calls).isEqualTo(calls);
        assertThat(budget.held()).isZero();
    }

    @Test
    void refundsAndRethrowsWhatTheModelThrew() {
        RateLimitException thrown = new RateLimitException("slow down");
        fake.thrown = thrown;

        assertThatThrownBy(() -> model.chat(request())).isSameAs(thrown);
        assertThat(budget.used()).isZero();
        assertThat(budget.held()).isZero();
        assertThat(budget.report().reservations().refunded()).isOne();
    }

    @Test
    void passesEverythingElseOn() {
        assertThat(model.defaultRequestParameters()).isSameAs(fake.defaultRequestParameters());
        assertThat(model.listeners()).isSameAs(fake.listeners);
        assertThat(model.provider()).isEqualTo(ModelProvider.ANTHROPIC);
        assertThat(model.supportedCapabilities()).containsExactly(Capability.RESPONSE_FORMAT_JSON_SCHEMA);
        assertThat(model).hasToString("MeteredChatModel[fake]");
        assertThat(Set.of(model, MeteredChatModel.wrap(fake, budget.meter())))
                .hasSize(2)
                .contains(model);
    }

    @Test
    void chargesOnceWhenWrappedTwice() {
        MeteredChatModel.wrap(model, budget.meter()).chat(request());

        assertThat(budget.used()).isEqualTo(70);
        assertThat(budget.report().calls().metered()).isOne();
    }

    @Test
    void metersTheSameModelBehindADecoratorOfTheApplication() {
        ChatModel decorator = new ChatModel() {
            @Override
            public ChatResponse doChat(ChatRequest request) {
                return model.chat(request);
            }

            @Override
            public ChatRequestParameters defaultRequestParameters() {
                return model.defaultRequestParameters();
            }
        };
        ChatModel outer = MeteredChatModel.wrap(decorator, budget.meter());

        outer.chat(request());
        outer.chat(request());

        assertThat(budget.used()).isEqualTo(2 * 70);
        assertThat(budget.held()).isZero();
    }

    @Test
    void keepsWhatAListenerAsksAnotherModelApart() {
        ChatModel other = MeteredChatModel.wrap(new Fake(), budget.meter());
        fake.listeners.add(new ChatModelListener() {
            @Override
            public void onRequest(ChatModelRequestContext context) {
                other.chat("is this allowed?");
            }
        });

        model.chat(request());
        model.chat(request());

        assertThat(budget.used()).isEqualTo(4 * 70);
        assertThat(budget.report().calls().metered()).isEqualTo(4);
    }

    @Test
    void keepsAndMetersWhatTheModelOverrides() {
        ChatModel polite = new ChatModel() {
            @Override
            public String chat(String question) {
                return fake.chat(UserMessage.from("please: " + question))
                                .aiMessage()
                                .text() + ", please";
            }

            @Override
            public ChatRequestParameters defaultRequestParameters() {
                return fake.defaults;
            }
        };

        assertThat(MeteredChatModel.wrap(polite, budget.meter()).chat("hello")).isEqualTo("hi, please");
        assertThat(MeteredChatModel.wrap(polite, budget.meter()).chat("")).isEqualTo("hi, please");
        assertThat(budget.report().calls().usageMissing()).isEqualTo(2);
        assertThat(budget.held()).isZero();
        assertThat(budget.used()).isPositive();
    }

    @Test
    void saysThatAModelWithoutABodyIsNotImplemented() {
        assertThatThrownBy(() -> MeteredChatModel.wrap(new ChatModel() {}, budget.meter())
                        .chat("hello"))
                .hasMessage("Not implemented");
        assertThat(budget.report().reservations().held()).isZero();
    }

    @Test
    void behavesAsTheModelForARequestThatIsNull() {
        assertThatThrownBy(() -> model.chat((ChatRequest) null)).isInstanceOf(NullPointerException.class);
        assertThat(budget.held()).isZero();
    }

    @Test
    void letsACallThroughUnmeteredIfItCannotBeEstimated() {
        ChatRequest broken = new BrokenRequest();

        assertThat(model.doChat(broken)).isSameAs(fake.response);
        assertThat(budget.report().calls().unmetered()).isOne();
        assertThat(budget.notices).singleElement().asString().contains("reserving");
    }

    @Test
    void keepsTheEstimateIfUsageCannotBeRead() {
        fake.response = new BrokenResponse();

        assertThat(model.chat(request())).isSameAs(fake.response);
        assertThat(budget.used()).isPositive();
        assertThat(budget.held()).isZero();
        assertThat(budget.report().calls().usageMissing()).isOne();
    }

    @Test
    void C9_anExceptionThatThrowsWhenItIsLookedIntoReachesTheApplication() {
        RuntimeException unreadable = new RuntimeException("the application's own") {
            @Override
            public synchronized Throwable getCause() {
                throw new IllegalStateException("no cause");
            }

            @Override
            public StackTraceElement[] getStackTrace() {
                throw new IllegalStateException("no trace");
            }
        };
        fake.thrown = unreadable;

        assertThatThrownBy(() -> model.chat(request()))
                .satisfies(thrown -> assertThat(thrown == unreadable).isTrue());
        assertThat(budget.held()).isZero();
    }

    private static ChatRequest request() {
        return ChatRequest.builder().messages(UserMessage.from("hello")).build();
    }

    private static final class Fake implements ChatModel {
        final List<ChatModelListener> listeners = new ArrayList<>();
        final ChatRequestParameters defaults = ChatRequestParameters.builder()
                .modelName("fake-1")
                .maxOutputTokens(200)
                .build();
        ChatResponse response = ChatResponse.builder()
                .aiMessage(AiMessage.from("hi"))
                .tokenUsage(new TokenUsage(50, 20))
                .build();

        @Nullable
        RuntimeException thrown;

        Runnable during = () -> {};
        int calls;

        @Override
        public ChatResponse doChat(ChatRequest request) {
            calls++;
            during.run();
            if (thrown != null) {
                throw thrown;
            }
            return response;
        }

        @Override
        public ChatRequestParameters defaultRequestParameters() {
            return defaults;
        }

        @Override
        public List<ChatModelListener> listeners() {
            return listeners;
        }

        @Override
        public ModelProvider provider() {
            return ModelProvider.ANTHROPIC;
        }

        @Override
        public Set<Capability> supportedCapabilities() {
            return Set.of(Capability.RESPONSE_FORMAT_JSON_SCHEMA);
        }

        @Override
        public String toString() {
            return "fake";
        }
    }

    private static final class BrokenRequest extends ChatRequest {
        BrokenRequest() {
            super(ChatRequest.builder().messages(UserMessage.from("hello")));
        }

        @Override
        public ChatRequestParameters parameters() {
            throw new IllegalStateException("broken");
        }
    }

    private static final class BrokenResponse extends ChatResponse {
        BrokenResponse() {
            super(ChatResponse.builder().aiMessage(AiMessage.from("hi")));
        }

        @Override
        public TokenUsage tokenUsage() {
            throw new IllegalStateException("broken");
        }
    }
}
