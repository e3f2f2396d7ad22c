package io.tokenbudget.launches;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs {@link ChatApp} in two class loaders that share nothing but the JDK, each with a LangChain4j of its own:
 * {@code TwoLoadersApp FOLDER-OF-JARS FOLDER-OF-JARS CLASSES ...what ChatApp takes}.
 */
public final class TwoLoadersApp {
    private TwoLoadersApp() {}

    /** Runs both. */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        String[] forChat = Arrays.copyOfRange(args, 3, args.length);
        for (int i = 0; i < 2; i++) {
            URL[] urls = classPath(new File(args[i]), new File(args[2]));
            try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
                Thread.currentThread().setContextClassLoader(loader);
                System.out.println("sees" + Sees.of(loader));
                Class.forName("io.tokenbudget.launches.ChatApp", true, loader)
                        .getMethod("run", String[].class)
                        .invoke(null, (Object) forChat);
            }
        }
        System.out.println("done");
        while (System.in.read() >= 0) {}
    }

    private static URL[] classPath(File jars, File classes) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        urls.add(classes.toURI().toURL());
        File[] files = jars.listFiles();
        if (files == null) {
            throw new IllegalArgumentException(jars + " is no folder");
        }
        for (File file : files) {
            urls.add(file.toURI().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
