package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C9: what is looked for in the application's objects")
class ReflectedTest {

    @Test
    void findsWhatIsThere() {
        assertThat(Reflected.field("modelName").get(new MissingClass.Model())).isEqualTo("gpt");
    }

    @Test
    void whatNamesAMissingClassHasNoSuchMember() throws Exception {
        // Nothing can make an object of it, so a class stands for one: it is looked into in the same way.
        Class<?> model = MissingClass.modelThatNamesOne();

        for (Reflected member :
                List.of(Reflected.field("modelName"), Reflected.hiddenMethod("none"), Reflected.method("none"))) {
            assertThat(member.isOnClass(model)).isFalse();
        }
    }
}
