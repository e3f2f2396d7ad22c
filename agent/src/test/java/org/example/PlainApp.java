package org.example;

/** Knows no framework. */
public final class PlainApp {
    private PlainApp() {}

    public static void main(String[] args) {
        System.out.println("hello");
    }
}
