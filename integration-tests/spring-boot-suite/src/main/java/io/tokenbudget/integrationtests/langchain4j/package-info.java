/** The accounting matrix of LangChain4j with models that are beans of Spring Boot. Nothing else belongs here. */
@NullMarked
package io.tokenbudget.integrationtests.langchain4j;

import org.jspecify.annotations.NullMarked;
