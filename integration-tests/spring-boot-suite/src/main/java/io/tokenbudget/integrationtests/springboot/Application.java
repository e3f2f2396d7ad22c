package io.tokenbudget.integrationtests.springboot;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenLimiter;
import io.tokenbudget.examples.providerstub.ProviderStub;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ClassUtils;

/** An application that runs on a free port, against a provider of its own. */
public final class Application implements AutoCloseable {
    /** Whether models are those of Spring AI 2. */
    static final boolean SPRING_AI_2 =
            ClassUtils.isPresent("org.springframework.ai.chat.client.advisor.ToolCallingAdvisor", null);

    /** On either line what would ask everybody for a login. */
    static final String OF_SECURITY = Stream.of(
                    "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
                    "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
                    "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration",
                    "org.springframework.boot.actuate.autoconfigure.security.reactive"
                            + ".ReactiveManagementWebSecurityAutoConfiguration",
                    "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
                    "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
                    "org.springframework.boot.security.autoconfigure.actuate.web.servlet"
                            + ".ManagementWebSecurityAutoConfiguration",
                    "org.springframework.boot.security.autoconfigure.actuate.web.reactive"
                            + ".ReactiveManagementWebSecurityAutoConfiguration")
            .filter(type -> ClassUtils.isPresent(type, null))
            .collect(Collectors.joining(","));

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ProviderStub provider;
    private final ConfigurableApplicationContext context;

    private Application(ProviderStub provider, ConfigurableApplicationContext context) {
        this.provider = provider;
        this.context = context;
    }

    /** Starts the application of {@code type} with these lines of configuration. */
    public static Application start(Class<?> type, String... configuration) {
        return startAt(provider -> configuration, type);
    }

    /** The same with lines that name the provider's address. */
    static Application startAt(Function<String, String[]> configuration, Class<?> type) {
        ProviderStub provider = ProviderStub.start(0);
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--provider=" + provider.baseUrl(),
                "--spring.ai.openai.base-url=" + provider.baseUrl() + (SPRING_AI_2 ? "/v1" : ""),
                "--spring.ai.openai.api-key=key",
                "--spring.ai.openai.chat.options.model=gpt-4o-mini",
                "--spring.ai.openai.chat.options.max-tokens=200",
                "--spring.ai.openai.chat.model=gpt-4o-mini",
                "--spring.ai.openai.chat.max-tokens=200"));
        for (String line : configuration.apply(provider.baseUrl())) {
            arguments.add("--" + line);
        }
        try {
            SpringApplication application = new SpringApplication(type);
            application.setDefaultProperties(Map.of("spring.autoconfigure.exclude", OF_SECURITY));
            return new Application(provider, application.run(arguments.toArray(String[]::new)));
        } catch (Throwable failed) {
            provider.close();
            throw failed;
        }
    }

    /** The context of {@code type}, which serves nothing and has no models of Spring AI's. */
    static ConfigurableApplicationContext withoutWeb(Class<?> type) {
        return withoutWeb(type, new StandardEnvironment());
    }

    /** The same in this environment. */
    static ConfigurableApplicationContext withoutWeb(Class<?> type, ConfigurableEnvironment environment) {
        SpringApplication application = new SpringApplication(type);
        application.setEnvironment(environment);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        return application.run(
                "--logging.level.root=warn",
                "--spring.ai.model.chat=none",
                "--spring.ai.model.embedding=none",
                "--spring.ai.model.image=none",
                "--spring.ai.model.moderation=none",
                "--spring.ai.model.audio.speech=none",
                "--spring.ai.model.audio.transcription=none");
    }

    /** Its beans. */
    public ConfigurableApplicationContext context() {
        return context;
    }

    /** Whom it asks. */
    public ProviderStub provider() {
        return provider;
    }

    /** What the provider has billed. */
    public long billed() {
        return provider.ledger().billed().totalTokens();
    }

    /** What is booked to {@code scope}, in tokens. */
    public long used(String scope) {
        return used(scope, "tokens");
    }

    /** What is booked to {@code scope}, in {@code unit}. */
    public long used(String scope, String unit) {
        return status().stream()
                .filter(status -> status.scope().equals(scope) && status.unit().equals(unit))
                .mapToLong(BudgetStatus::used)
                .sum();
    }

    /**
     * Waits until that is booked: a stream of a final class is booked after its last signal.
     *
     * @throws AssertionError if it is something else after ten seconds
     */
    void awaitUsed(String scope, long tokens) {
        long end = System.nanoTime() + 10_000_000_000L;
        while (used(scope) != tokens && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        if (used(scope) != tokens) {
            throw new AssertionError(scope + " has used " + used(scope) + " tokens, not " + tokens);
        }
    }

    /** What is held, in tokens, of any budget. */
    public long held() {
        return status().stream().mapToLong(BudgetStatus::held).sum();
    }

    List<BudgetStatus> status() {
        return context.getBean(TokenLimiter.class).status();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    /** Asks for {@code path} with these header fields, name and value in turn. */
    HttpResponse<String> get(String path, String... fields) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        if (fields.length > 0) {
            request.headers(fields);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
        provider.close();
    }
}
