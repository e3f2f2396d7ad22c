@NullMarked
package io.tokenbudget.integrationtests.annotation;

import org.jspecify.annotations.NullMarked;
