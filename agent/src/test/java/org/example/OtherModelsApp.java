package org.example;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.image.ImageModel;
import dev.langchain4j.model.language.LanguageModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.embedding.EmbeddingResponseMetadata;

/** Calls models that are no chat models: {@code <address to print>}. */
public final class OtherModelsApp {
    private OtherModelsApp() {}

    public static void main(String[] args) throws Exception {
        Vectors vectors = new Vectors();
        print("embed " + vectors.embed("text").content().dimension());
        print("embedAll "
                + vectors.embedAll(List.of(TextSegment.from("a"), TextSegment.from("b")))
                        .content()
                        .size());
        print("dimension " + vectors.dimension());
        print("image "
                + new Pictures().generate("a town under a grey sky").content().url());
        print("completion " + new Completions().generate("once upon a time").content());
        print("spring " + new SpringVectors().embed("text").length);
        print(Web.get(args[0]));
    }

    private static void print(String line) {
        System.out.println(line);
    }

    static final class Vectors implements EmbeddingModel {
        @Override
        public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
            List<Embedding> all =
                    segments.stream().map(text -> Embedding.from(new float[3])).toList();
            return Response.from(all, new TokenUsage(7 * segments.size()));
        }
    }

    static final class Pictures implements ImageModel {
        @Override
        public Response<Image> generate(String prompt) {
            return Response.from(Image.builder().url("http://localhost/1").build());
        }
    }

    static final class Completions implements LanguageModel {
        @Override
        public Response<String> generate(String prompt) {
            return Response.from("there was a town", new TokenUsage(5, 4));
        }
    }

    static final class SpringVectors implements org.springframework.ai.embedding.EmbeddingModel {
        @Override
        public EmbeddingResponse call(EmbeddingRequest request) {
            return new EmbeddingResponse(
                    List.of(new org.springframework.ai.embedding.Embedding(new float[4], 0)),
                    new EmbeddingResponseMetadata("m", new DefaultUsage(9, 0)));
        }

        @Override
        public float[] embed(Document document) {
            return embed(document.getText());
        }
    }
}
