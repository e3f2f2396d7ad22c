/** The accounting matrix of Spring AI with models that are beans of Spring Boot. Nothing else belongs here. */
@NullMarked
package io.tokenbudget.integrationtests.springai;

import org.jspecify.annotations.NullMarked;
