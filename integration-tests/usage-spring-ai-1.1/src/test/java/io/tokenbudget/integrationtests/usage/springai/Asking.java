package io.tokenbudget.integrationtests.usage.springai;

import io.tokenbudget.integrationtests.usage.ProviderClient;
import io.tokenbudget.springai.MeteredChatModel;
import java.time.Duration;
import java.util.List;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.Prompt;

/** Asks a model one question, metered. */
final class Asking {
    private static final Prompt QUESTION = new Prompt("How is the weather?");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Asking() {}

    /** Makes a model that asks at a base URL. */
    interface Models {
        ChatModel at(String baseUrl) throws Exception;
    }

    /** Asked in both ways. */
    static List<ProviderClient> of(String provider, Models models) {
        return List.of(
                new ProviderClient(
                        provider,
                        false,
                        (baseUrl, meter, answer) ->
                                MeteredChatModel.wrap(models.at(baseUrl), meter).call(QUESTION)),
                new ProviderClient(
                        provider,
                        true,
                        (baseUrl, meter, answer) -> MeteredChatModel.wrap(models.at(baseUrl), meter).stream(QUESTION)
                                .blockLast(PATIENCE)));
    }
}
