package io.tokenbudget.springai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.image.ImageOptionsBuilder;
import org.springframework.ai.image.ImagePrompt;
import org.springframework.ai.image.ImageResponse;
import org.springframework.ai.moderation.Generation;
import org.springframework.ai.moderation.ModerationModel;
import org.springframework.ai.moderation.ModerationPrompt;
import org.springframework.ai.moderation.ModerationResponse;

@DisplayName("C1 one layer charges: models of Spring AI that are no chat models, in process")
class OtherKindsTest {
    private static final ImagePrompt CAT = new ImagePrompt("a cat on a mat");

    private final Books books = Books.unlimited();

    /** The application's own type, by which nobody knows what it is for. */
    public interface Drawing extends ImageModel {}

    private ImageModel metered(Drawing drawing) {
        return MeteredModel.wrap(Drawing.class, drawing, books.meter);
    }

    @Test
    void whatAModelAsksOneOfAnotherKindIsChargedBesideIt() {
        ModerationModel moderates = MeteredModel.wrap(
                ModerationModel.class, prompt -> new ModerationResponse(new Generation()), books.meter);
        metered(prompt -> {
                    moderates.call(new ModerationPrompt("a cat on a mat"));
                    return new ImageResponse(List.of());
                })
                .call(CAT);

        assertThat(books.calls().metered()).isEqualTo(2);
        assertThat(books.held()).isZero();
        assertThat(books.notices).isEmpty();
    }

    @Test
    void picturesCostByThePieceAsManyAsTheOptionsAskFor() {
        ImageModel draws = metered(prompt -> new ImageResponse(List.of()));

        draws.call(CAT);
        draws.call(new ImagePrompt("cats", ImageOptionsBuilder.builder().N(3).build()));

        assertThat(books.paid()).isEqualTo(4 * 40_000_000L);
    }

    @Test
    void aModelAroundAnotherOfItsKindIsOneCall() {
        ImageModel draws = metered(prompt -> new ImageResponse(List.of()));
        MeteredModel.wrap(ImageModel.class, draws, books.meter).call(CAT);

        assertThat(books.calls().metered()).isEqualTo(1);
        assertThat(books.held()).isZero();
        assertThat(books.notices).isEmpty();
    }
}
