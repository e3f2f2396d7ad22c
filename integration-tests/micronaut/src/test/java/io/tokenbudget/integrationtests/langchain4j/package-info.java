@NullMarked
package io.tokenbudget.integrationtests.langchain4j;

import org.jspecify.annotations.NullMarked;
