package io.tokenbudget.agent;

import io.tokenbudget.agent.References.Reference;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Whether the framework that an application has is one that an advice can work with: looks each class and member that the
 * advice {@linkplain References refers to} up in the application. Asked when a call is linked: by then the application has
 * loaded what matters.
 */
final class Compatibility {
    private Compatibility() {}

    /**
     * @param advice the class's name
     * @param bridge sees our classes and the application's framework
     * @return what the framework does not have, or null if it has everything
     */
    static @Nullable String missing(String advice, ClassLoader bridge) throws IOException {
        for (Reference reference : References.of(advice)) {
            String missing = missing(reference, bridge);
            if (missing != null) {
                return missing;
            }
        }
        return null;
    }

    private static @Nullable String missing(Reference reference, ClassLoader bridge) {
        try {
            Class<?> owner = Class.forName(reference.owner(), false, bridge);
            if (!reference.isClass()) {
                find(owner, reference, bridge);
            }
            return null;
        } catch (IllegalAccessException isThere) {
            return null; // a static one, or one that only subclasses see
        } catch (TypeNotPresentException inSignature) {
            return inSignature.typeName();
        } catch (ClassNotFoundException noOwner) {
            return reference.owner();
        } catch (NoClassDefFoundError itsSuperType) {
            return named(itsSuperType, reference);
        } catch (NoSuchMethodException | NoSuchFieldException | LinkageError notThere) {
            return reference.toString();
        }
    }

    private static String named(NoClassDefFoundError error, Reference reference) {
        String name = error.getMessage() == null ? "" : error.getMessage().replace('/', '.');
        return Framework.owns(name) ? name : reference.toString();
    }

    private static void find(Class<?> owner, Reference reference, ClassLoader bridge)
            throws NoSuchMethodException, NoSuchFieldException, IllegalAccessException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        String descriptor = reference.descriptor();
        if (reference.isField()) {
            Class<?> type = MethodType.fromMethodDescriptorString("()" + descriptor, bridge)
                    .returnType();
            lookup.findGetter(owner, reference.name(), type);
            return;
        }
        MethodType type = MethodType.fromMethodDescriptorString(descriptor, bridge);
        if (reference.name().equals("<init>")) {
            lookup.findConstructor(owner, type);
        } else {
            lookup.findVirtual(owner, reference.name(), type);
        }
    }
}
