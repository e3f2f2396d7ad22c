package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuperNamesTest {
    @Test
    void areThoseThatTheJvmSees() throws IOException {
        for (Class<?> type : new Class<?>[] {
            Math.class,
            Long.class,
            String.class,
            Class.class,
            List.class,
            ArrayList.class,
            SuperNames.class,
            Prefilter.class
        }) {
            List<String> expected = new ArrayList<>();
            expected.add(
                    type.isInterface()
                            ? "java/lang/Object"
                            : type.getSuperclass().getName().replace('.', '/'));
            for (Class<?> implemented : type.getInterfaces()) {
                expected.add(implemented.getName().replace('.', '/'));
            }
            assertThat(SuperNames.of(ClassFiles.of(type))).as(type.getName()).isEqualTo(expected);
        }
    }

    @Test
    void areUnknownOfATruncatedClassFile() throws IOException {
        byte[] whole = ClassFiles.of(SuperNames.class);
        for (int length = 0; length < whole.length / 2; length++) {
            assertThat(SuperNames.of(Arrays.copyOf(whole, length))).isNull();
        }
    }
}
