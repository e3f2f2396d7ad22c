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
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Micronaut's compiler: a method that cannot be intercepted is an error that names it and what to do")
class CompilerTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    private List<String> errors(String classModifier, String methodModifier) {
        return errors("""
                @jakarta.inject.Singleton
                %s class Desk {
                    @TokenBudget(agent = "desk")
                    %s String handle(String ticket) {
                        return ticket;
                    }
                }
                """.formatted(classModifier, methodModifier));
    }

    private List<String> errors(String source) {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        boolean compiled = compiler.getTask(
                        null,
                        null,
                        said,
                        List.of("-d", folder.toString(), "-cp", classPath, "-processorpath", classPath),
                        null,
                        List.of(new Source("package org.example; import io.tokenbudget.TokenBudget;\n" + source)))
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
        assertThat(made("$Desk$Definition$Intercepted")).exists();
    }

    private File made(String name) {
        return new File(folder.toFile(), "org/example/" + name + ".class");
    }

    @ParameterizedTest
    @ValueSource(strings = {"class", "final class", "record", "abstract class"})
    @DisplayName("A class that is no bean stays none, whatever it is annotated with, and compiles")
    void aClassThatIsNoBeanStaysNone(String kind) {
        String parameters = kind.equals("record") ? "()" : "";
        assertThat(errors("""
                interface Desk {
                    String handle(String ticket);
                }
                @TokenBudget(agent = "type")
                %s Plain%s implements Desk {
                    @TokenBudget(agent = "method")
                    public String handle(String ticket) {
                        return ticket;
                    }
                }
                """.formatted(kind, parameters))).isEmpty();
        assertThat(made("Plain")).exists();
        assertThat(made("$Plain$Definition")).doesNotExist();
    }

    @Test
    void whatIsNotInterceptedAnywayCompiles() {
        assertThat(errors("""
                final class Plain {
                    @TokenBudget(agent = "private")
                    private static String handle(String ticket) {
                        return ticket;
                    }
                }
                """)).isEmpty();
    }

    private static String abstractBase(String declaration, String modifier) {
        return """
                %s Base {
                    @TokenBudget(agent = "base")
                    %s String handle(String ticket) {
                        return ticket;
                    }
                }
                """.formatted(declaration, modifier);
    }

    @ParameterizedTest
    @CsvSource({
        "abstract class, private",
        "abstract class, static",
        "abstract class, final",
        "class, final",
        "interface, private",
        "interface, static"
    })
    @DisplayName("What is no bean, and may be woven by others, compiles whatever is annotated in it")
    void whatIsNoBeanCompiles(String declaration, String modifier) {
        assertThat(errors(abstractBase(declaration, modifier))).isEmpty();
        assertThat(errors(abstractBase(declaration, modifier)
                        + (declaration.equals("interface")
                                ? "class Other implements Base {}"
                                : "class Other extends Base {}")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "abstract class, private",
        "abstract class, static",
        "abstract class, final",
        "class, final",
        "interface, private"
    })
    @DisplayName("What a bean inherits and Micronaut cannot intercept is an error with method, bean and remedy, once")
    void whatABeanInheritsIsAnError(String declaration, String modifier) {
        String desk = declaration.equals("interface") ? "implements Base" : "extends Middle";
        assertThat(errors(abstractBase(declaration, modifier)
                        + """
                @jakarta.inject.Singleton
                class Desk %s {}
                %s
                """.formatted(
                                desk, declaration.equals("interface") ? "" : "abstract class Middle extends Base {}")))
                .singleElement()
                .asString()
                .contains("@TokenBudget on org.example.Base.handle, which the bean org.example.Desk has: the method is "
                        + modifier)
                .contains("make it an instance method that is neither private nor final");
    }

    @Test
    void whatABeanInheritsOfAnotherIsSaidOnce() {
        assertThat(errors(abstractBase("@jakarta.inject.Singleton class", "final") + """
                @jakarta.inject.Singleton
                class Desk extends Base {}
                """))
                .filteredOn(error -> error.contains("the method is final"))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"static", "private"})
    @DisplayName("What a factory makes by an interface is a bean too")
    void anInterfaceThatAFactoryMakesIsABean(String modifier) {
        assertThat(errors(abstractBase("interface", modifier) + """
                @io.micronaut.context.annotation.Factory
                class Desks {
                    @jakarta.inject.Singleton
                    Base desk() {
                        return null;
                    }
                }
                """))
                .singleElement()
                .asString()
                .contains(
                        "@TokenBudget on org.example.Base.handle, made by org.example.Desks.desk: the method handle is "
                                + modifier);
    }

    private List<String> factoryOf(String declaration, String constructor, String method) {
        return errors("""
                %s Desk {
                    %s
                    @TokenBudget(agent = "desk")
                    %s String handle(String ticket) {
                        return ticket;
                    }
                }
                @io.micronaut.context.annotation.Factory
                class Desks {
                    @jakarta.inject.Singleton
                    Desk desk() {
                        return null;
                    }
                }
                """.formatted(declaration, constructor, method));
    }

    @ParameterizedTest
    @CsvSource({
        "final class, '', public, the class is final",
        "class, Desk(String name) {}, public, the class has no constructor without parameters",
        "class, private Desk() {}, public, the class has no constructor without parameters",
        "class, '', '', the method handle is not public",
        "class, '', public final, the method handle is final",
        "class, '', public static, the method handle is static"
    })
    @DisplayName("What a factory makes and Micronaut cannot intercept is an error with class, method and remedy")
    void whatAFactoryMakesAndCannotBeInterceptedIsAnError(
            String declaration, String constructor, String method, String why) {
        assertThat(factoryOf(declaration, constructor, method))
                .singleElement()
                .asString()
                .contains("@TokenBudget on org.example.Desk.handle, made by org.example.Desks.desk: " + why)
                .contains("declare an interface that has the annotation as its type, or make the class a bean itself");
    }

    @Test
    void whatAFactoryMakesIsInterceptedWhereItCanBe() {
        assertThat(factoryOf("class", "", "public")).isEmpty();
        assertThat(folder.resolve("org/example").toFile().list())
                .anyMatch(name -> name.startsWith("$Desks$Desk0$Definition$Intercepted"));
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
