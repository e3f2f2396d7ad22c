package io.tokenbudget.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What runs beside the agent")
class CoreFreePackagesTest {
    private static final JavaClasses TESTKIT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.tokenbudget.testkit");

    @Test
    void ofTheAnnotationSuiteNeedsNothingOfCore() {
        noClasses()
                .that()
                .resideInAPackage("io.tokenbudget.testkit.annotation")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.tokenbudget.core..", "io.tokenbudget.testkit.inprocess")
                .check(TESTKIT);
    }

    @Test
    void needsNothingOfAnnotationsAndCore() {
        noClasses()
                .that()
                .resideInAnyPackage("io.tokenbudget.testkit.matrix", "io.tokenbudget.testkit.status")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.tokenbudget", "io.tokenbudget.core..", "io.tokenbudget.testkit.inprocess")
                .check(TESTKIT);
    }
}
