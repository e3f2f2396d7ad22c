package io.tokenbudget.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("annotations <- core <- integrations <- agent: arrows point one way")
class ModuleArrowsTest {
    private static final String[] JDK = {"java..", "javax..", "com.sun.net.httpserver.."};

    private static JavaClasses module(String folder) {
        JavaClasses classes = new ClassFileImporter()
                .importPath(Path.of("..", "..").resolve(folder).resolve("target/classes"));
        assertFalse(classes.isEmpty(), folder + " has no classes");
        return classes;
    }

    private static void onlyDependsOn(JavaClasses classes, String inside, String... packages) {
        String[] allowed = new String[JDK.length + packages.length + 1];
        System.arraycopy(JDK, 0, allowed, 0, JDK.length);
        System.arraycopy(packages, 0, allowed, JDK.length, packages.length);
        allowed[allowed.length - 1] = "org.jspecify..";
        classes()
                .that()
                .resideInAPackage(inside)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .check(classes);
    }

    @Test
    void annotationsUseTheJdkAlone() {
        onlyDependsOn(module("annotations"), "io.tokenbudget", "io.tokenbudget");
    }

    @Test
    void coreKnowsNoFramework() {
        onlyDependsOn(
                module("core"),
                "io.tokenbudget.core..",
                "io.tokenbudget",
                "io.tokenbudget.core..",
                "org.snakeyaml.engine..",
                "com.knuddels.jtokkit..");
    }

    @Test
    void theStoreSeamAndTheStoreInMemoryKnowNothingAboveThem() {
        JavaClasses core = module("core");
        onlyDependsOn(core, "io.tokenbudget.core.spi", "io.tokenbudget", "io.tokenbudget.core.spi");
        onlyDependsOn(
                core,
                "io.tokenbudget.core.memory",
                "io.tokenbudget",
                "io.tokenbudget.core.spi",
                "io.tokenbudget.core.memory");
    }

    @Test
    void corePackagesHaveNoCycles() {
        slices().matching("io.tokenbudget.core.(*)..").should().beFreeOfCycles().check(module("core"));
    }

    @Test
    void integrationsKnowTheirFrameworkAndNoAgentAndNoContainer() {
        onlyDependsOn(
                module("integrations/langchain4j"),
                "io.tokenbudget.langchain4j..",
                "io.tokenbudget",
                "io.tokenbudget.core..",
                "io.tokenbudget.langchain4j..",
                "dev.langchain4j..");
        onlyDependsOn(
                module("integrations/spring-ai"),
                "io.tokenbudget.springai..",
                "io.tokenbudget",
                "io.tokenbudget.core..",
                "io.tokenbudget.springai..",
                "org.springframework.ai..",
                "reactor.core..",
                "reactor.util.context..",
                "org.reactivestreams..",
                "io.micrometer.observation..");
        onlyDependsOn(
                module("integrations/reactor"),
                "io.tokenbudget.reactor..",
                "io.tokenbudget",
                "io.tokenbudget.core..",
                "io.tokenbudget.reactor..",
                "reactor.core..",
                "reactor.util.context..",
                "org.reactivestreams..",
                "io.micrometer.context..");
        onlyDependsOn(
                module("integrations/aspectj"),
                "io.tokenbudget.aspectj..",
                "io.tokenbudget",
                "io.tokenbudget.core..",
                "io.tokenbudget.aspectj..",
                "org.aspectj.lang..");
    }

    @Test
    void micronautsModuleKnowsWhatItAdaptsAndNoAgent() {
        onlyDependsOn(
                module("integrations/micronaut"),
                "io.tokenbudget.micronaut..",
                "io.tokenbudget",
                "io.tokenbudget.core..",
                "io.tokenbudget.langchain4j..",
                "io.tokenbudget.reactor..",
                "io.tokenbudget.micronaut..",
                "io.micronaut..",
                "jakarta.annotation..",
                "jakarta.inject..",
                "dev.langchain4j..",
                "reactor.core..",
                "reactor.util.context..",
                "org.reactivestreams..",
                "org.slf4j..");
        onlyDependsOn(
                module("integrations/micronaut-processor"),
                "io.tokenbudget.micronaut.processor..",
                "io.tokenbudget.micronaut.processor..",
                "io.micronaut..");
    }

    @Test
    void theSpringBootStarterKnowsNoAgent() {
        onlyDependsOn(
                module("integrations/spring-boot-starter"),
                "io.tokenbudget.spring.boot..",
                "io.tokenbudget",
                "io.tokenbudget.core..",
                "io.tokenbudget.langchain4j..",
                "io.tokenbudget.reactor..",
                "io.tokenbudget.springai..",
                "io.tokenbudget.spring.boot..",
                "dev.langchain4j..",
                "io.micrometer.observation..",
                "io.netty..",
                "jakarta.servlet..",
                "org.aopalliance..",
                "org.apache.commons.logging..",
                "org.slf4j..",
                "org.reactivestreams..",
                "org.springframework..",
                "reactor..");
    }

    @Test
    void theAgentsBootClassesUseTheJdkAlone() {
        onlyDependsOn(module("agent"), "io.tokenbudget.agent.boot..", "io.tokenbudget.agent.boot..");
    }
}
