/** Programs as the guide shows them. */
@NullMarked
package org.example;

import org.jspecify.annotations.NullMarked;
