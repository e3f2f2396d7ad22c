package org.example;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Calls its model once at each line that comes in. */
public final class WaitingApp {
    private WaitingApp() {}

    public static void main(String[] args) throws Exception {
        EchoChatModel model = new EchoChatModel();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        while (in.readLine() != null) {
            try {
                System.out.println("answer " + model.chat("question"));
            } catch (RuntimeException thrown) {
                System.out.println("thrown " + thrown.getClass().getName());
            }
        }
    }
}
