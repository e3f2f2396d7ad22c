@NullMarked
package io.tokenbudget.langchain4j;

import org.jspecify.annotations.NullMarked;
