package io.tokenbudget.integrationtests.springai2;

import io.tokenbudget.integrationtests.springai.OtherModels;
import org.springframework.ai.audio.tts.TextToSpeechPrompt;
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

/** Spring AI 2.0. */
public final class SecondOtherModels implements OtherModels {

    private static String url(At at) {
        return at.baseUrl() + "/v1";
    }

    @Override
    public EmbeddingModel embedding(At at) {
        return OpenAiEmbeddingModel.builder()
                .options(OpenAiEmbeddingOptions.builder()
                        .baseUrl(url(at))
                        .apiKey(at.apiKey())
                        .model(at.modelName())
                        .maxRetries(0)
                        .build())
                .observationRegistry(at.listeners())
                .build();
    }

    @Override
    public EmbeddingOptions embeddingOptions() {
        return EmbeddingOptions.builder().build();
    }

    @Override
    public ImageModel image(At at) {
        return OpenAiImageModel.builder()
                .options(OpenAiImageOptions.builder()
                        .baseUrl(url(at))
                        .apiKey(at.apiKey())
                        .model(at.modelName())
                        .maxRetries(0)
                        .build())
                .observationRegistry(at.listeners())
                .build();
    }

    @Override
    public ModerationModel moderation(At at) {
        return OpenAiModerationModel.builder()
                .options(OpenAiModerationOptions.builder()
                        .baseUrl(url(at))
                        .apiKey(at.apiKey())
                        .model(at.modelName())
                        .maxRetries(0)
                        .build())
                .build();
    }

    @Override
    public Model<?, ?> transcription(At at) {
        return OpenAiAudioTranscriptionModel.builder()
                .options(OpenAiAudioTranscriptionOptions.builder()
                        .baseUrl(url(at))
                        .apiKey(at.apiKey())
                        .model(at.modelName())
                        .maxRetries(0)
                        .build())
                .build();
    }

    @Override
    public Model<?, ?> speech(At at) {
        return OpenAiAudioSpeechModel.builder()
                .options(OpenAiAudioSpeechOptions.builder()
                        .voice("alloy")
                        .baseUrl(url(at))
                        .apiKey(at.apiKey())
                        .model(at.modelName())
                        .maxRetries(0)
                        .build())
                .build();
    }

    @Override
    public boolean failsToSpeak() {
        return true;
    }

    @Override
    public ModelRequest<?> speechOf(String text) {
        return new TextToSpeechPrompt(text);
    }
}
