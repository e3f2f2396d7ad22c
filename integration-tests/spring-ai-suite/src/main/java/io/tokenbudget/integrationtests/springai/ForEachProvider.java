package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.Provider;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs a matrix once for each provider whose models are tried on every line. */
@ParameterizedClass
@EnumSource(
        value = Provider.class,
        names = {"OPENAI", "ANTHROPIC", "OLLAMA"})
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface ForEachProvider {}
