package io.tokenbudget.integrationtests.springai;

import org.springframework.ai.document.MetadataMode;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingOptions;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.model.Model;
import org.springframework.ai.model.ModelRequest;
import org.springframework.ai.moderation.ModerationModel;
import org.springframework.ai.openai.OpenAiAudioSpeechModel;
import org.springframework.ai.openai.OpenAiAudioSpeechOptions;
import org.springframework.ai.openai.OpenAiAudioTranscriptionModel;
import org.springframework.ai.openai.OpenAiAudioTranscriptionOptions;
import org.springframework.ai.openai.OpenAiEmbeddingModel;
import org.springframework.ai.openai.OpenAiEmbeddingOptions;
import org.springframework.ai.openai.OpenAiImageModel;
import org.springframework.ai.openai.OpenAiImageOptions;
import org.springframework.ai.openai.OpenAiModerationModel;
import org.springframework.ai.openai.OpenAiModerationOptions;
import org.springframework.ai.openai.api.OpenAiApi;
import org.springframework.ai.openai.api.OpenAiAudioApi;
import org.springframework.ai.openai.api.OpenAiImageApi;
import org.springframework.ai.openai.api.OpenAiModerationApi;
import org.springframework.retry.support.RetryTemplate;

/** Spring AI 1.x. */
final class FirstOtherModels implements OtherModels {
    private static final RetryTemplate ONCE =
            RetryTemplate.builder().maxAttempts(1).build();

    @Override
    public EmbeddingModel embedding(At at) {
        OpenAiApi api =
                OpenAiApi.builder().baseUrl(at.baseUrl()).apiKey(at.apiKey()).build();
        return new OpenAiEmbeddingModel(
                api,
                MetadataMode.EMBED,
                OpenAiEmbeddingOptions.builder().model(at.modelName()).build(),
                ONCE,
                at.listeners());
    }

    @Override
    public EmbeddingOptions embeddingOptions() {
        return OpenAiEmbeddingOptions.builder().build();
    }

    @Override
    public ImageModel image(At at) {
        OpenAiImageApi api = OpenAiImageApi.builder()
                .baseUrl(at.baseUrl())
                .apiKey(at.apiKey())
                .build();
        return new OpenAiImageModel(
                api, OpenAiImageOptions.builder().model(at.modelName()).build(), ONCE, at.listeners());
    }

    @Override
    public ModerationModel moderation(At at) {
        OpenAiModerationApi api = OpenAiModerationApi.builder()
                .baseUrl(at.baseUrl())
                .apiKey(at.apiKey())
                .build();
        return new OpenAiModerationModel(api, ONCE)
                .withDefaultOptions(
                        OpenAiModerationOptions.builder().model(at.modelName()).build());
    }

    @Override
    public Model<?, ?> transcription(At at) {
        return new OpenAiAudioTranscriptionModel(
                audio(at),
                OpenAiAudioTranscriptionOptions.builder()
                        .model(at.modelName())
                        .responseFormat(OpenAiAudioApi.TranscriptResponseFormat.JSON)
                        .build(),
                ONCE);
    }

    @Override
    public Model<?, ?> speech(At at) {
        Object model = new OpenAiAudioSpeechModel(
                audio(at),
                OpenAiAudioSpeechOptions.builder()
                        .model(at.modelName())
                        .voice("alloy")
                        .responseFormat(OpenAiAudioApi.SpeechRequest.AudioResponseFormat.MP3)
                        .build(),
                ONCE);
        return (Model<?, ?>) model;
    }

    @Override
    public boolean failsToSpeak() {
        return false;
    }

    /** 1.1 has other types for it than 1.0. */
    @Override
    public ModelRequest<?> speechOf(String text) {
        try {
            return request("org.springframework.ai.audio.tts.TextToSpeechPrompt", text);
        } catch (ReflectiveOperationException before) {
            try {
                return request("org.springframework.ai.openai.audio.speech.SpeechPrompt", text);
            } catch (ReflectiveOperationException none) {
                throw new IllegalStateException("no known request for speech", none);
            }
        }
    }

    private static ModelRequest<?> request(String type, String text) throws ReflectiveOperationException {
        return Class.forName(type)
                .asSubclass(ModelRequest.class)
                .getConstructor(String.class)
                .newInstance(text);
    }

    private static OpenAiAudioApi audio(At at) {
        return OpenAiAudioApi.builder()
                .baseUrl(at.baseUrl())
                .apiKey(at.apiKey())
                .build();
    }
}
