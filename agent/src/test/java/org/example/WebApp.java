package org.example;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

/** A server with the framework and its models, and a web application on it that brings token-budget-annotations. */
public final class WebApp {
    private static final String APPLICATION = AnnotatedApp.class.getName();

    private WebApp() {}

    /** @param args where the annotations are, and the tenants that call */
    public static void main(String[] args) throws Exception {
        ClassLoader server = WebApp.class.getClassLoader();
        URL[] application = {
            new File(args[0]).toURI().toURL(),
            Path.of(WebApp.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toUri()
                    .toURL()
        };
        try (URLClassLoader web = new URLClassLoader(application, server) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                return name.equals(APPLICATION) ? findClass(name) : super.loadClass(name, resolve);
            }
        }) {
            String[] tenants = Arrays.copyOfRange(args, 1, args.length);
            web.loadClass(APPLICATION).getMethod("main", String[].class).invoke(null, (Object) tenants);
        }
    }
}
