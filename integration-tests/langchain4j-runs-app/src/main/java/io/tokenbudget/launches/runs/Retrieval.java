package io.tokenbudget.launches.runs;

import dev.langchain4j.rag.DefaultRetrievalAugmentor;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.router.DefaultQueryRouter;
import dev.langchain4j.rag.query.router.LanguageModelQueryRouter;
import dev.langchain4j.rag.query.transformer.ExpandingQueryTransformer;
import dev.langchain4j.service.AiServices;
import java.util.List;
import java.util.Map;

/** Retrieval whose parts ask models that are refused. */
final class Retrieval {
    private Retrieval() {}

    static void addTo(Map<String, Scenario> scenarios) {
        ContentRetriever one = query -> List.of(Content.from("It is sunny."));
        ContentRetriever another = query -> List.of(Content.from("It is warm."));
        scenarios.put(
                "query-router",
                models -> answer(
                        models,
                        DefaultRetrievalAugmentor.builder()
                                .queryRouter(LanguageModelQueryRouter.builder()
                                        .chatModel(models.refused())
                                        .retrieverToDescription(Map.of(one, "the weather", another, "the climate"))
                                        .build())
                                .build()));
        scenarios.put(
                "query-router-that-asks-all",
                models -> answer(
                        models,
                        DefaultRetrievalAugmentor.builder()
                                .queryRouter(LanguageModelQueryRouter.builder()
                                        .chatModel(models.refused())
                                        .retrieverToDescription(Map.of(one, "the weather", another, "the climate"))
                                        .fallbackStrategy(LanguageModelQueryRouter.FallbackStrategy.ROUTE_TO_ALL)
                                        .build())
                                .build()));
        scenarios.put(
                "query-transformer",
                models -> answer(
                        models,
                        DefaultRetrievalAugmentor.builder()
                                .queryTransformer(new ExpandingQueryTransformer(models.refused()))
                                .contentRetriever(one)
                                .build()));
        scenarios.put(
                "content-aggregator",
                models -> answer(
                        models,
                        DefaultRetrievalAugmentor.builder()
                                .contentRetriever(one)
                                .contentAggregator(found -> {
                                    models.refused().chat("Which is the best?");
                                    return List.of(Content.from("It is sunny."));
                                })
                                .build()));
        scenarios.put(
                "concurrent-retrievers",
                models -> answer(
                        models,
                        DefaultRetrievalAugmentor.builder()
                                .queryRouter(new DefaultQueryRouter(List.of(asking(models), asking(models))))
                                .build()));
    }

    private static ContentRetriever asking(Models models) {
        return query -> List.of(Content.from(models.refused().chat("What is known?")));
    }

    private static Object answer(Models models, RetrievalAugmentor augmentor) {
        return AiServices.builder(Services.Assistant.class)
                .chatModel(models.chat())
                .retrievalAugmentor(augmentor)
                .build()
                .answer("How is the weather?");
    }
}
