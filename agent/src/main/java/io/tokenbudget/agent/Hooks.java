package io.tokenbudget.agent;

import static io.tokenbudget.agent.Hook.counted;
import static io.tokenbudget.agent.Hook.metered;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Everything that is hooked. A framework's methods that hand on to each other may all stand here: nested calls of one
 * kind count once.
 */
final class Hooks {
    private static final String LC4J = "dev.langchain4j.model.";
    private static final String RESPONSE = "Ldev/langchain4j/model/output/Response;";
    private static final String LC4J_REQUEST = "Ldev/langchain4j/model/chat/request/ChatRequest;";
    private static final String LC4J_CHAT = "(" + LC4J_REQUEST + ")Ldev/langchain4j/model/chat/response/ChatResponse;";
    private static final String SPRING = "org.springframework.ai.";
    private static final String PROMPT = "Lorg/springframework/ai/chat/prompt/Prompt;";
    private static final String SPRING_RESPONSE = "Lorg/springframework/ai/chat/model/ChatResponse;";
    private static final String FLUX = "Lreactor/core/publisher/Flux;";

    private static final String SERVLET = ".servlet.http.HttpServlet";
    private static final String WEB_FLUX = "org.springframework.web.server.adapter.HttpWebHandlerAdapter";

    private static final String WEB_FLUX_HANDLERS = "org.springframework.web.reactive.DispatcherHandler";

    private static final Set<String> OF_REQUESTS = Set.of(
            ("jakarta" + SERVLET).replace('.', '/'),
            ("javax" + SERVLET).replace('.', '/'),
            WEB_FLUX.replace('.', '/'),
            WEB_FLUX_HANDLERS.replace('.', '/'));

    /** The whole table. */
    static final List<Hook> ALL = all();

    /** What every version that is metered declares in its own types. One that does not calls its models in another way. */
    static final List<ChokePoint> CHOKE_POINTS = chokePoints();

    private Hooks() {}

    private static List<Hook> all() {
        List<Hook> hooks = new ArrayList<>();
        addLangChain4jChat(hooks);
        addOtherLangChain4j(hooks);
        addOldLangChain4j(hooks);
        addSpringAiChat(hooks);
        addRuns(hooks);
        addRecoveries(hooks);
        addOtherSpringAi(hooks);
        addRequests(hooks);
        return List.copyOf(hooks);
    }

    private static void addLangChain4jChat(List<Hook> hooks) {
        String kind = "chat calls of LangChain4j";
        String model = LC4J + "chat.ChatModel";
        hooks.add(metered("LangChain4jChatAdvice", kind, model, "doChat", LC4J_CHAT));
        // Providers that override chat itself and never come to doChat.
        hooks.add(metered("LangChain4jChatAdvice", kind, model, "chat", LC4J_CHAT));

        kind = "streaming calls of LangChain4j";
        model = LC4J + "chat.StreamingChatModel";
        String descriptor = "(" + LC4J_REQUEST + "Ldev/langchain4j/model/chat/response/StreamingChatResponseHandler;)V";
        hooks.add(metered("LangChain4jStreamAdvice", kind, model, "doChat", descriptor));
        hooks.add(metered("LangChain4jStreamAdvice", kind, model, "chat", descriptor));
    }

    private static void addOtherLangChain4j(List<Hook> hooks) {
        String kind = "embedding calls of LangChain4j";
        String model = LC4J + "embedding.EmbeddingModel";
        String embedding = "Ldev/langchain4j/model/embedding/";
        hooks.add(metered("LangChain4jOtherAdvice", kind, model, "embedAll", "(Ljava/util/List;)" + RESPONSE));
        hooks.add(metered("LangChain4jOtherAdvice", kind, model, "embed", "(Ljava/lang/String;)" + RESPONSE));
        hooks.add(metered(
                "LangChain4jOtherAdvice",
                kind,
                model,
                "embed",
                "(Ldev/langchain4j/data/segment/TextSegment;)" + RESPONSE));
        String descriptor = "(" + embedding + "request/EmbeddingRequest;)" + embedding + "response/EmbeddingResponse;";
        hooks.add(metered("LangChain4jOtherAdvice", kind, model, "doEmbed", descriptor));

        kind = "image calls of LangChain4j";
        model = LC4J + "image.ImageModel";
        String image = "Ldev/langchain4j/data/image/Image;";
        hooks.add(metered("LangChain4jOtherAdvice", kind, model, "generate", "(Ljava/lang/String;)" + RESPONSE));
        hooks.add(metered("LangChain4jOtherAdvice", kind, model, "generate", "(Ljava/lang/String;I)" + RESPONSE));
        hooks.add(
                metered("LangChain4jOtherAdvice", kind, model, "edit", "(" + image + "Ljava/lang/String;)" + RESPONSE));
        hooks.add(metered(
                "LangChain4jOtherAdvice", kind, model, "edit", "(" + image + image + "Ljava/lang/String;)" + RESPONSE));

        kind = "moderation calls of LangChain4j";
        model = LC4J + "moderation.ModerationModel";
        String moderation = "Ldev/langchain4j/model/moderation/Moderation";
        hooks.add(metered("LangChain4jOtherAdvice", kind, model, "moderate", "(Ljava/lang/String;)" + RESPONSE));
        hooks.add(metered("LangChain4jOtherAdvice", kind, model, "moderate", "(Ljava/util/List;)" + RESPONSE));
        hooks.add(metered(
                "LangChain4jOtherAdvice",
                kind,
                model,
                "doModerate",
                "(" + moderation + "Request;)" + moderation + "Response;"));

        String audio = "Ldev/langchain4j/model/audio/";
        hooks.add(metered(
                "LangChain4jOtherAdvice",
                "audio transcription calls of LangChain4j",
                LC4J + "audio.AudioTranscriptionModel",
                "transcribe",
                "(" + audio + "AudioTranscriptionRequest;)" + audio + "AudioTranscriptionResponse;"));
        hooks.add(metered(
                "LangChain4jOtherAdvice",
                "speech calls of LangChain4j",
                LC4J + "audio.TextToSpeechModel",
                "synthesize",
                "(" + audio + "TextToSpeechRequest;)" + audio + "TextToSpeechResponse;"));
        hooks.add(metered(
                "LangChain4jOtherAdvice",
                "scoring calls of LangChain4j",
                LC4J + "scoring.ScoringModel",
                "scoreAll",
                "(Ljava/util/List;Ljava/lang/String;)" + RESPONSE));

        kind = "completion calls of LangChain4j";
        hooks.add(metered(
                "LangChain4jOtherAdvice",
                kind,
                LC4J + "language.LanguageModel",
                "generate",
                "(Ljava/lang/String;)" + RESPONSE));
        descriptor = "(Ljava/lang/String;Ldev/langchain4j/model/StreamingResponseHandler;)V";
        hooks.add(metered(
                "LangChain4jCompletionStreamAdvice",
                kind,
                LC4J + "language.StreamingLanguageModel",
                "generate",
                descriptor));

        kind = "batches of LangChain4j";
        descriptor = "(Ldev/langchain4j/model/batch/BatchRequest;)Ldev/langchain4j/model/batch/BatchResponse;";
        hooks.add(counted(kind, LC4J + "chat.BatchChatModel", "submit", descriptor));
        hooks.add(counted(kind, LC4J + "embedding.BatchEmbeddingModel", "submit", descriptor));
        hooks.add(counted(kind, LC4J + "image.BatchImageModel", "submit", descriptor));
    }

    /** Before 1.0 the interfaces had other names. Not supported, so at least said. */
    private static void addOldLangChain4j(List<Hook> hooks) {
        String kind = "calls of LangChain4j before 1.0";
        String handler = "Ldev/langchain4j/model/StreamingResponseHandler;)V";
        for (String messages : List.of("Ljava/util/List;", "Ljava/util/List;Ljava/util/List;")) {
            hooks.add(counted(kind, LC4J + "chat.ChatLanguageModel", "generate", "(" + messages + ")" + RESPONSE));
            String descriptor = "(" + messages + handler;
            hooks.add(counted(kind, LC4J + "chat.StreamingChatLanguageModel", "generate", descriptor));
        }
    }

    private static void addSpringAiChat(List<Hook> hooks) {
        hooks.add(metered(
                "SpringAiChatAdvice",
                "chat calls of Spring AI",
                SPRING + "chat.model.ChatModel",
                "call",
                "(" + PROMPT + ")" + SPRING_RESPONSE));
        hooks.add(metered(
                "SpringAiStreamAdvice",
                "streaming calls of Spring AI",
                SPRING + "model.StreamingModel",
                "stream",
                "(" + PROMPT + ")" + FLUX));
        hooks.add(metered(
                "SpringAiRoundAdvice",
                "",
                SPRING + "chat.model.ChatModel",
                "internalStream",
                "(" + PROMPT + SPRING_RESPONSE + ")" + FLUX));
        hooks.add(metered(
                "SpringAiToolsAdvice",
                "",
                SPRING + "model.tool.ToolCallingManager",
                "executeToolCalls",
                "(" + PROMPT + SPRING_RESPONSE + ")Lorg/springframework/ai/model/tool/ToolExecutionResult;"));
        for (String model :
                List.of("chat.observation.Chat", "embedding.observation.Embedding", "image.observation.Image")) {
            String context = SPRING + model + "ModelObservationContext";
            hooks.add(Hook.ofClass(
                    "SpringAiObservationAdvice",
                    context + "$Builder",
                    "build",
                    "()L" + context.replace('.', '/') + ";"));
        }
    }

    /** What the application asks for, and the threads that work for it. */
    private static void addRuns(List<Hook> hooks) {
        String service = "ServiceAdvice";
        String object = "Ljava/lang/Object;";
        hooks.add(Hook.ofClass(
                service,
                "dev.langchain4j.service.DefaultAiServices$1",
                "invoke",
                "(" + object + "Ljava/lang/reflect/Method;[" + object + ")" + object));
        String agentic = "dev.langchain4j.agentic.";
        for (String handler : List.of("internal.PlannerBasedInvocationHandler", "agent.AgentInvocationHandler")) {
            hooks.add(Hook.ofClass(
                    service,
                    agentic + handler,
                    "invoke",
                    "(" + object + "Ljava/lang/reflect/Method;[" + object + ")" + object));
        }
        String client = "org.springframework.ai.chat.client.";
        String types = "Lorg/springframework/ai/chat/client/ChatClient";
        hooks.add(metered(
                "SpringAiClientAdvice",
                "",
                client + "advisor.api.CallAdvisorChain",
                "nextCall",
                "(" + types + "Request;)" + types + "Response;"));
        hooks.add(metered(
                "SpringAiClientStreamAdvice",
                "",
                client + "advisor.api.StreamAdvisorChain",
                "nextStream",
                "(" + types + "Request;)" + FLUX));

        String executor = "Ljava/util/concurrent/Executor;";
        String executorService = "Ljava/util/concurrent/ExecutorService;";
        String made = "RunExecutorAdvice";
        hooks.add(Hook.ofClass(
                made,
                "dev.langchain4j.internal.DefaultExecutorProvider",
                "getDefaultExecutorService",
                "()" + executorService));
        hooks.add(Hook.ofClass(
                made,
                "dev.langchain4j.rag.DefaultRetrievalAugmentor",
                "createDefaultExecutor",
                "()" + executorService));
        hooks.add(Hook.ofClass(
                "RunExecutorArgumentAdvice",
                "dev.langchain4j.service.tool.ToolService",
                "executeToolsConcurrently",
                "(" + executor + ")V"));
        hooks.add(Hook.ofClass(
                "RunExecutorArgumentAdvice",
                agentic + "internal.AbstractServiceBuilder",
                "executor",
                "(" + executor + ")" + object));
    }

    /** Where LangChain4j goes on after a failure, which may have been a refusal. */
    private static void addRecoveries(List<Hook> hooks) {
        hooks.add(Hook.ofClass(
                "LangChain4jToolErrorAdvice",
                "dev.langchain4j.service.tool.ToolService",
                "executionErrorHandler",
                "(Ldev/langchain4j/service/tool/ToolExecutionErrorHandler;)V"));
        hooks.add(Hook.ofClass(
                "RefusedFallbackAdvice",
                "dev.langchain4j.rag.query.router.LanguageModelQueryRouter",
                "fallback",
                "(Ldev/langchain4j/rag/query/Query;Ljava/lang/Exception;)Ljava/util/Collection;"));
        String agent = "Ldev/langchain4j/agentic/agent/";
        hooks.add(Hook.ofClass(
                "RefusedRetryAdvice",
                "dev.langchain4j.agentic.scope.DefaultAgenticScope",
                "handleError",
                "(Ljava/lang/String;" + agent + "AgentInvocationException;)" + agent + "ErrorRecoveryResult;"));
    }

    private static void addOtherSpringAi(List<Hook> hooks) {
        String model = SPRING + "model.Model";
        String streaming = SPRING + "model.StreamingModel";

        String kind = "embedding calls of Spring AI";
        String embedding = "Lorg/springframework/ai/embedding/";
        for (String request : List.of("EmbeddingRequest;", "DocumentEmbeddingRequest;")) {
            String descriptor = "(" + embedding + request + ")" + embedding + "EmbeddingResponse;";
            hooks.add(metered("SpringAiOtherAdvice", kind, model, "call", descriptor));
        }

        String image = "Lorg/springframework/ai/image/Image";
        hooks.add(metered(
                "SpringAiOtherAdvice",
                "image calls of Spring AI",
                model,
                "call",
                "(" + image + "Prompt;)" + image + "Response;"));
        String moderation = "Lorg/springframework/ai/moderation/Moderation";
        String descriptor = "(" + moderation + "Prompt;)" + moderation + "Response;";
        hooks.add(metered("SpringAiOtherAdvice", "moderation calls of Spring AI", model, "call", descriptor));

        kind = "audio transcription calls of Spring AI";
        String transcription = "Lorg/springframework/ai/audio/transcription/AudioTranscription";
        descriptor = "(" + transcription + "Prompt;)" + transcription + "Response;";
        hooks.add(metered("SpringAiOtherAdvice", kind, model, "call", descriptor));
        String streamed = "SpringAiOtherStreamAdvice";
        hooks.add(metered(streamed, kind, streaming, "stream", "(" + transcription + "Prompt;)" + FLUX));

        kind = "speech calls of Spring AI";
        String openAiSpeech = "Lorg/springframework/ai/openai/audio/speech/Speech"; // 1.0
        String speech = "Lorg/springframework/ai/audio/tts/TextToSpeech";
        for (String type : List.of(openAiSpeech, speech)) {
            hooks.add(
                    metered("SpringAiOtherAdvice", kind, model, "call", "(" + type + "Prompt;)" + type + "Response;"));
            hooks.add(metered(streamed, kind, streaming, "stream", "(" + type + "Prompt;)" + FLUX));
        }
    }

    /** Where requests are served: the first place that has them as applications see them. */
    private static void addRequests(List<Hook> hooks) {
        for (String api : List.of("jakarta", "javax")) {
            String types = "L" + api + "/servlet/Servlet";
            hooks.add(Hook.ofClass(
                    "ServletAdvice", api + SERVLET, "service", "(" + types + "Request;" + types + "Response;)V"));
        }
        String types = "Lorg/springframework/http/server/reactive/ServerHttp";
        hooks.add(Hook.ofClass(
                "WebFluxAdvice",
                WEB_FLUX,
                "handle",
                "(" + types + "Request;" + types + "Response;)Lreactor/core/publisher/Mono;"));
        hooks.add(Hook.ofClass(
                "WebFluxLoginAdvice",
                WEB_FLUX_HANDLERS,
                "handle",
                "(Lorg/springframework/web/server/ServerWebExchange;)Lreactor/core/publisher/Mono;"));
    }

    /** Whether a class of this name, with slashes, is hooked only for what requests say. */
    static boolean isOfRequests(String internalName) {
        return OF_REQUESTS.contains(internalName);
    }

    private static List<ChokePoint> chokePoints() {
        String list = "(Ljava/util/List;)" + RESPONSE;
        String text = "(Ljava/lang/String;)" + RESPONSE;
        String spring = "Lorg/springframework/ai/";
        return List.of(
                chokePoint("chat calls of LangChain4j", LC4J + "chat.ChatModel", "doChat"),
                chokePoint("streaming calls of LangChain4j", LC4J + "chat.StreamingChatModel", "doChat"),
                new ChokePoint("embedding calls of LangChain4j", LC4J + "embedding.EmbeddingModel", "embedAll", list),
                new ChokePoint("image calls of LangChain4j", LC4J + "image.ImageModel", "generate", text),
                new ChokePoint(
                        "moderation calls of LangChain4j", LC4J + "moderation.ModerationModel", "moderate", text),
                chokePoint("scoring calls of LangChain4j", LC4J + "scoring.ScoringModel", "scoreAll"),
                chokePoint("chat calls of Spring AI", SPRING + "chat.model.ChatModel", "call"),
                new ChokePoint(
                        "streaming calls of Spring AI",
                        SPRING + "chat.model.StreamingChatModel",
                        "stream",
                        "(" + PROMPT + ")" + FLUX),
                new ChokePoint(
                        "embedding calls of Spring AI",
                        SPRING + "embedding.EmbeddingModel",
                        "call",
                        "(" + spring + "embedding/EmbeddingRequest;)" + spring + "embedding/EmbeddingResponse;"),
                new ChokePoint(
                        "image calls of Spring AI",
                        SPRING + "image.ImageModel",
                        "call",
                        "(" + spring + "image/ImagePrompt;)" + spring + "image/ImageResponse;"));
    }

    /** The only method of that name which is hooked there. */
    private static ChokePoint chokePoint(String kind, String type, String method) {
        for (Hook hook : ALL) {
            if (hook.superType().equals(type) && hook.method().equals(method)) {
                return new ChokePoint(kind, type, method, hook.descriptor());
            }
        }
        throw new IllegalArgumentException(type + "." + method + " is not hooked");
    }
}
