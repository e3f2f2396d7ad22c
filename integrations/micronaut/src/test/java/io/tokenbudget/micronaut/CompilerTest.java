package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Micronaut's compiler: a method that cannot be intercepted is an error that names it and what to do")
class CompilerTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    private List<String> errors(String classModifier, String methodModifier) {
        String source = """
                package org.example;
                @jakarta.inject.Singleton
                %s class Desk {
                    @io.tokenbudget.TokenBudget(agent = "desk")
                    %s String handle(String ticket) {
                        return ticket;
                    }
                }
                """.formatted(classModifier, methodModifier);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        boolean compiled = compiler.getTask(
                        null,
                        null,
                        said,
                        List.of("-d", folder.toString(), "-cp", classPath, "-processorpath", classPath),
                        null,
                        List.of(new Source(source)))
                .call();
        List<String> errors = said.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> each.getMessage(null))
                .toList();
        assertThat(compiled).isEqualTo(errors.isEmpty());
        return errors;
    }

    @ParameterizedTest
    @CsvSource({"private", "static", "final"})
    void isRefused(String modifier) {
        assertThat(errors("", modifier))
                .anySatisfy(error -> assertThat(error)
                        .contains("@TokenBudget on org.example.Desk.handle: the method is " + modifier)
                        .contains("make it an instance method that is neither private nor final"));
    }

    @Test
    void aFinalClassIsRefused() {
        assertThat(errors("final", "")).isNotEmpty().anyMatch(error -> error.contains("final"));
    }

    @Test
    void anyOtherMethodIsIntercepted() {
        assertThat(errors("", "protected")).isEmpty();
        assertThat(new File(folder.toFile(), "org/example/$Desk$Definition$Intercepted.class"))
                .exists();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///org/example/Desk.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
