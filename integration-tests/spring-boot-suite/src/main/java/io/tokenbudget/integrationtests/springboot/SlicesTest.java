package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.TokenLimiter;
import java.lang.annotation.Annotation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.dynamic.DynamicType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.util.ClassUtils;

@DisplayName("Starter: slices of an application are tested with it as they are without")
public class SlicesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // before each test
    Path classes;

    @Test
    void aSliceOfSpringMvcAnswersRefusals() throws Exception {
        ApplicationContext slice = slice(
                Sliced.class,
                "org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest",
                "org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest");
        assertThat(slice.getBean(MockMvc.class)
                        .perform(MockMvcRequestBuilders.get("/refused"))
                        .andReturn()
                        .getResponse()
                        .getStatus())
                .isEqualTo(429);
    }

    @Test
    void aSliceOfWebFluxAnswersRefusals() throws Exception {
        ApplicationContext slice = slice(
                Sliced.class,
                "org.springframework.boot.test.autoconfigure.web.reactive.WebFluxTest",
                "org.springframework.boot.webflux.test.autoconfigure.WebFluxTest");
        assertThat(slice.getBean(WebTestClient.class)
                        .get()
                        .uri("/refused")
                        .exchange()
                        .returnResult(String.class)
                        .getStatus()
                        .value())
                .isEqualTo(429);
    }

    @Test
    void aSliceWithoutWebStartsAndHasNothingOfIt() throws Exception {
        ApplicationContext slice = slice(
                Nothing.class,
                "org.springframework.boot.test.autoconfigure.json.JsonTest",
                "org.springframework.boot.test.autoconfigure.json.JsonTest");
        assertThat(slice.getBeanNamesForType(TokenLimiter.class)).isEmpty();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Nothing {}

    /** The context of a test class with the one of these annotations that this line has. */
    private ApplicationContext slice(Class<?> application, String inBoot3, String inBoot4) throws Exception {
        Class<? extends Annotation> slice = annotation(ClassUtils.isPresent(inBoot3, null) ? inBoot3 : inBoot4);
        DynamicType.Unloaded<?> test = new ByteBuddy()
                .subclass(Object.class)
                .name(SlicesTest.class.getPackageName() + ".Test")
                .annotateType(
                        AnnotationDescription.Builder.ofType(slice).build(),
                        AnnotationDescription.Builder.ofType(ContextConfiguration.class)
                                .defineTypeArray("classes", application)
                                .build(),
                        AnnotationDescription.Builder.ofType(TestPropertySource.class)
                                .defineArray(
                                        "properties",
                                        "spring.autoconfigure.exclude=" + Application.OF_SECURITY,
                                        "token-budget.budgets[0].scope=tenant",
                                        "token-budget.budgets[0].limits[0]=10 tokens per 1h")
                                .build())
                .make();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // Spring reads the class file too.
        test.saveIn(classes.toFile());
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            return new TestContextManager(
                            Class.forName(test.getTypeDescription().getName(), true, loader))
                    .getTestContext()
                    .getApplicationContext();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Class<? extends Annotation> annotation(String name) {
        return ClassUtils.resolveClassName(name, null).asSubclass(Annotation.class);
    }
}
