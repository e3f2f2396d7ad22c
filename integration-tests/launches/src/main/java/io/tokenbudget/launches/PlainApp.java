package io.tokenbudget.launches;

/** Uses no framework at all. */
public final class PlainApp {
    private PlainApp() {}

    /** Says what it sees. */
    public static void main(String[] args) {
        System.out.println("sees" + Sees.of(PlainApp.class.getClassLoader()));
        System.out.println("hello");
    }
}
