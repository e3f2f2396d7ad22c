package io.tokenbudget.testkit.matrix;

import java.util.List;

/** A version line of a framework on which the matrix runs. */
public interface FrameworkLine {

    /** The version that is tried, such as {@code 1.0.3}. */
    String version();

    /** Whose clients are tried there. */
    List<Provider> providers();
}
