package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PrefilterTest {
    private final Prefilter prefilter = new Prefilter(Hooks.ALL, Hooks.CHOKE_POINTS);

    static java.util.List<Hook> hooks() {
        return Hooks.ALL;
    }

    @ParameterizedTest
    @MethodSource("hooks")
    void acceptsEveryClassThatDeclaresAHookedMethod(Hook hook) {
        assertThat(prefilter.accepts(hook.superType().replace('.', '/'), classWith(hook.method(), hook.descriptor())))
                .isTrue();
    }

    @Test
    void rejectsAMethodOfTheSameNameWithAnotherDescriptor() {
        assertThat(prefilter.accepts("A", classWith("call", "(Ljava/lang/String;)Ljava/lang/String;")))
                .isFalse();
        assertThat(
                        prefilter.accepts(
                                "A",
                                classWith(
                                        "chat",
                                        "(Ldev/langchain4j/model/chat/request/ChatRequest;)Ldev/langchain4j/model/chat/response/ChatRespons_;")))
                .isFalse();
    }

    @Test
    void readsPastConstantsOfEverySize() throws IOException {
        for (Class<?> type : new Class<?>[] {Math.class, Long.class, String.class, Class.class, Prefilter.class}) {
            assertThat(prefilter.accepts("A", ClassFiles.of(type)))
                    .as(type.getName())
                    .isFalse();
        }
        assertThat(prefilter.accepts("A", ClassFiles.of(org.example.EchoChatModel.class)))
                .isTrue();
        assertThat(prefilter.accepts("A", ClassFiles.of(org.example.EchoSpringChatModel.class)))
                .isTrue();
    }

    @Test
    void survivesATruncatedClassFile() throws IOException {
        byte[] whole = ClassFiles.of(org.example.EchoChatModel.class);
        for (int length = 0; length < whole.length; length++) {
            byte[] truncated = Arrays.copyOf(whole, length);
            assertThat(prefilter.accepts("A", truncated)).isIn(true, false);
        }
    }

    private static byte[] classWith(String method, String descriptor) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_ABSTRACT, "org/example/Model", null, "java/lang/Object", null);
        writer.visitField(Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, "L", "J", null, 5L)
                .visitEnd();
        writer.visitField(Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, "D", "D", null, 5.0)
                .visitEnd();
        // A text of six letters is as long in the class file as a long or a double.
        for (int length = 1; length <= 20; length++) {
            writer.visitField(Opcodes.ACC_STATIC, "f".repeat(length), "I", null, null)
                    .visitEnd();
        }
        writer.visitMethod(Opcodes.ACC_ABSTRACT, method, descriptor, null, null).visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
