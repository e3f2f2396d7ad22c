package io.tokenbudget.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a type that a class file extends or implements has a {@code @TokenBudget}: the class file itself does not say so.
 * Reads class files, loads nothing; and reads them only for loaders that have the annotation, and not those of libraries that
 * cannot have it.
 *
 * <p>Thread-safe: one lock over the loaders, under which none is called, and a concurrent map for each.
 */
final class BudgetedAbove {
    private static final String ANNOTATION = "io/tokenbudget/TokenBudget.class";

    private static final String[] LIBRARIES = {
        "java/",
        "javax/",
        "jakarta/",
        "jdk/",
        "sun/",
        "com/sun/",
        "com/fasterxml/",
        "com/zaxxer/",
        "ch/qos/",
        "dev/langchain4j/",
        "groovy/",
        "io/micrometer/",
        "io/micronaut/",
        "io/netty/",
        "io/tokenbudget/",
        "kotlin/",
        "net/bytebuddy/",
        "okhttp3/",
        "org/apache/",
        "org/aspectj/",
        "org/eclipse/",
        "org/hibernate/",
        "org/jboss/",
        "org/slf4j/",
        "org/springframework/",
        "org/yaml/",
        "reactor/",
        "scala/",
    };

    private final Prefilter annotated;
    private final List<OfLoader> loaders = new ArrayList<>();

    /** @param annotated accepts a class file that names the annotation */
    BudgetedAbove(Prefilter annotated) {
        this.annotated = annotated;
    }

    private static final class OfLoader {
        final WeakReference<ClassLoader> loader;

        /** By internal name. */
        final Map<String, Boolean> known = new ConcurrentHashMap<>();

        /** Null while nobody has looked. */
        volatile @Nullable Boolean hasAnnotation;

        OfLoader(ClassLoader loader) {
            this.loader = new WeakReference<>(loader);
        }
    }

    boolean isAbove(ClassLoader loader, String internalName, byte[] classFile) {
        List<String> above = isOfALibrary(internalName) ? List.of() : ofTheApplication(classFile);
        if (above.isEmpty()) {
            return false;
        }
        OfLoader seen = of(loader);
        Boolean hasAnnotation = seen.hasAnnotation;
        if (hasAnnotation == null) {
            hasAnnotation = loader.getResource(ANNOTATION) != null;
            seen.hasAnnotation = hasAnnotation;
        }
        return hasAnnotation && anyHas(above, seen.known, loader);
    }

    private static List<String> ofTheApplication(byte[] classFile) {
        List<String> names = SuperNames.of(classFile);
        if (names == null) {
            return List.of();
        }
        names.removeIf(BudgetedAbove::isOfALibrary);
        return names;
    }

    private OfLoader of(ClassLoader loader) {
        synchronized (loaders) {
            for (Iterator<OfLoader> each = loaders.iterator(); each.hasNext(); ) {
                OfLoader known = each.next();
                ClassLoader its = known.loader.get();
                if (its == null) {
                    each.remove();
                } else if (its == loader) {
                    return known;
                }
            }
            OfLoader added = new OfLoader(loader);
            loaders.add(added);
            return added;
        }
    }

    private boolean anyHas(List<String> names, Map<String, Boolean> known, ClassLoader loader) {
        for (String name : names) {
            Boolean has = known.get(name);
            if (has == null) {
                has = looksLikeIt(name, known, loader);
                known.put(name, has);
            }
            if (has) {
                return true;
            }
        }
        return false;
    }

    private boolean looksLikeIt(String name, Map<String, Boolean> known, ClassLoader loader) {
        try (InputStream in = loader.getResourceAsStream(name + ".class")) {
            byte[] classFile = in == null ? new byte[0] : in.readAllBytes();
            return annotated.accepts(name, classFile) || anyHas(ofTheApplication(classFile), known, loader);
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean isOfALibrary(String internalName) {
        for (String prefix : LIBRARIES) {
            if (internalName.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
