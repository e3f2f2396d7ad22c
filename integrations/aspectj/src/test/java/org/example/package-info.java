@NullMarked
package org.example;

import org.jspecify.annotations.NullMarked;
