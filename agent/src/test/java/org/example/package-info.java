/** Applications as users write them: they know nothing of this project. The launch tests run them in JVMs of their own. */
@NullMarked
package org.example;

import org.jspecify.annotations.NullMarked;
