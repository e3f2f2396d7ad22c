package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.springai.MeteredModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.inprocess.Samples;
import java.io.File;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.document.Document;
import org.springframework.ai.model.Model;
import org.springframework.ai.model.ModelRequest;
import org.springframework.ai.model.StreamingModel;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import reactor.core.publisher.Flux;

@DisplayName("C1: every default method of every interface for models, where a wrapped model has its own way for it")
@Tag("accounting-matrix")
@Tag("own-ways")
class OwnWaysInProcessTest {
    private static final Samples SAMPLES = new Samples()
            .with(Message.class, new UserMessage("text"))
            .with(Document.class, new Document("text"))
            .with(Resource.class, new ByteArrayResource(new byte[10]));

    private final InProcess inProcess = new InProcess();

    /** All that this version has. */
    static Stream<Arguments> defaultMethods() throws Exception {
        List<Arguments> methods = new ArrayList<>();
        for (Class<?> type : types()) {
            for (Method method : type.getMethods()) {
                if (method.isDefault() && !method.isBridge()) {
                    String parameters = Arrays.toString(Arrays.stream(method.getParameterTypes())
                            .map(Class::getSimpleName)
                            .toArray());
                    methods.add(Arguments.of(type.getSimpleName() + '.' + method.getName() + parameters, type, method));
                }
            }
        }
        assertThat(methods).hasSizeGreaterThan(10);
        return methods.stream();
    }

    private static List<Class<?>> types() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> inJar : List.of(ChatModel.class, OpenAiChatModel.class)) {
            File jar = new File(
                    inJar.getProtectionDomain().getCodeSource().getLocation().toURI());
            try (JarFile opened = new JarFile(jar)) {
                for (String name :
                        opened.stream().map(entry -> entry.getName()).sorted().toList()) {
                    Class<?> type = name.endsWith("Model.class") ? typeOf(name) : null;
                    if (type != null && isForModels(type)) {
                        types.add(type);
                    }
                }
            }
        }
        return types;
    }

    private static @Nullable Class<?> typeOf(String entry) {
        try {
            String name = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
            return Class.forName(name, false, OwnWaysInProcessTest.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError needsMore) {
            return null;
        }
    }

    /** A chat model that only streams is wrapped as a {@link ChatModel}. */
    private static boolean isForModels(Class<?> type) {
        boolean general = type == Model.class || type == StreamingModel.class;
        return type.isInterface()
                && !general
                && (Model.class.isAssignableFrom(type) || StreamingModel.class.isAssignableFrom(type))
                && !type.getSimpleName().equals("StreamingChatModel");
    }

    /** Writes down what it is asked, but for what it is made of, and answers itself or as the interface would. */
    private static final class OwnWays implements InvocationHandler {
        private final Method way;
        private final boolean asTheInterface;
        private final List<Method> asked = new ArrayList<>();
        private @Nullable Object answer;

        OwnWays(Method way, boolean asTheInterface) {
            this.way = way;
            this.asTheInterface = asTheInterface;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(this, arguments);
            }
            if (method.equals(way) || isAQuestion(method)) {
                asked.add(method);
            }
            if (asTheInterface && method.isDefault() && !takesARequest(method)) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            Object sample = sample(method);
            if (method.equals(way)) {
                answer = sample;
            }
            return sample;
        }
    }

    /** Those are where the others end; the interface only says of them that there is none. */
    private static boolean takesARequest(Method method) {
        return method.getParameterCount() > 0 && ModelRequest.class.isAssignableFrom(method.getParameterTypes()[0]);
    }

    private static Object sample(Method method) {
        if (Flux.class.isAssignableFrom(method.getReturnType())) {
            ParameterizedType flux = (ParameterizedType) method.getGenericReturnType();
            return Flux.just(SAMPLES.of(flux.getActualTypeArguments()[0]));
        }
        return SAMPLES.of(method.getGenericReturnType());
    }

    @SuppressWarnings("unchecked") // only the interface is known here
    private Object metered(Class<?> type, InvocationHandler ways) {
        Object model = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, ways);
        return type == ChatModel.class
                ? MeteredChatModel.wrap((ChatModel) model, inProcess.meter())
                : MeteredModel.wrap((Class<Object>) type, model, inProcess.meter());
    }

    private static @Nullable Object ask(Object model, Method method) throws Throwable {
        try {
            return method.invoke(model, SAMPLES.arguments(method));
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    private static boolean isAQuestion(Method method) {
        return !method.getName().startsWith("get");
    }

    private void assertCharged(Method method) {
        assertThat(inProcess.budgets().calls().metered()).as("metered").isEqualTo(isAQuestion(method) ? 1 : 0);
        assertThat(inProcess.budgets().calls().unmetered()).as("unmetered").isZero();
        assertThat(inProcess.budgets().held()).as("held").isZero();
        assertThat(inProcess.notices()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("defaultMethods")
    void isReachedAndChargedOnce(String name, Class<?> type, Method method) throws Throwable {
        OwnWays ways = new OwnWays(method, false);

        Object answer = ask(metered(type, ways), method);

        assertThat(ways.asked).containsExactly(method);
        if (answer instanceof Flux<?> stream) {
            Flux<?> itsOwn = (Flux<?>) Objects.requireNonNull(ways.answer);
            assertThat(stream.collectList().block())
                    .isEqualTo(itsOwn.collectList().block());
        } else if (method.getReturnType().isPrimitive()) {
            assertThat(answer).isEqualTo(ways.answer);
        } else {
            assertThat(answer).isSameAs(ways.answer);
        }
        assertCharged(method);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("defaultMethods")
    void isChargedOnceWhereItEndsInAnotherMethodOfTheModel(String name, Class<?> type, Method method) throws Throwable {
        OwnWays ways = new OwnWays(method, true);

        if (ask(metered(type, ways), method) instanceof Flux<?> stream) {
            stream.collectList().block();
        }

        assertThat(ways.asked).startsWith(method);
        assertCharged(method);
    }
}
