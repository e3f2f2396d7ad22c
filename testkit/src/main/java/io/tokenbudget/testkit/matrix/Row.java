package io.tokenbudget.testkit.matrix;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the documentation says of a test of the matrix, beside its display name. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Row {
    /** What the provider does, in words or by the names of its scenarios. */
    String provider();

    /** What is booked. */
    String booked();
}
