/**
 * An application with LangChain4j's own starters. By itself, because they look for AI services in the whole package of an
 * application.
 */
@NullMarked
package io.tokenbudget.integrationtests.springboot.services;

import org.jspecify.annotations.NullMarked;
