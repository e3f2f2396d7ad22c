package io.tokenbudget.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.StringJoiner;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Whether the framework that an application has is one that an advice can work with.
 *
 * <p>Reads the constant pools of the advice and of all classes of ours that it reaches, which name every class, method and
 * field they refer to, and looks each one of the framework up in the application. Asked when a call is linked: by then the
 * application has loaded what matters.
 */
final class Compatibility {
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int ASM_BUFFER_HEADROOM = 16;

    private final ClassLoader bridge;
    private final Deque<String> toRead = new ArrayDeque<>();
    private final Set<String> seen = new HashSet<>();

    private Compatibility(ClassLoader bridge) {
        this.bridge = bridge;
    }

    /**
     * @param advice the class's name
     * @param bridge sees our classes and the application's framework
     * @return what the framework does not have, or null if it has everything
     */
    static @Nullable String missing(String advice, ClassLoader bridge) throws IOException {
        Compatibility check = new Compatibility(bridge);
        check.toRead.add(advice);
        while (!check.toRead.isEmpty()) {
            String missing = check.missingIn(check.toRead.remove());
            if (missing != null) {
                return missing;
            }
        }
        return null;
    }

    private @Nullable String missingIn(String className) throws IOException {
        ClassReader reader = read(className);
        char[] buffer = new char[reader.getMaxStringLength() + ASM_BUFFER_HEADROOM];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int item = reader.getItem(i);
            int tag = item == 0 ? 0 : reader.readByte(item - 1);
            String missing = null;
            if (tag == CLASS) {
                missing = missingClass(reader.readUTF8(item, buffer));
            } else if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
                int nameAndType = reader.getItem(reader.readUnsignedShort(item + 2));
                missing = missingMember(
                        tag,
                        reader.readClass(item, buffer),
                        reader.readUTF8(nameAndType, buffer),
                        reader.readUTF8(nameAndType + 2, buffer));
            }
            if (missing != null) {
                return missing;
            }
        }
        return null;
    }

    private ClassReader read(String className) throws IOException {
        String resource = className.replace('.', '/') + ".class";
        try (InputStream in = Compatibility.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(resource + " is missing in the agent's jar");
            }
            return new ClassReader(in.readAllBytes());
        }
    }

    private @Nullable String missingClass(String internalName) {
        String name = elementType(internalName).replace('/', '.');
        if (!seen.add(name)) {
            return null;
        }
        if (BridgeLoader.defines(name)) {
            toRead.add(name);
        }
        return Framework.owns(name) && load(name) == null ? name : null;
    }

    private @Nullable String missingMember(int tag, String internalOwner, String name, String descriptor) {
        String ownerName = internalOwner.replace('/', '.');
        if (!Framework.owns(ownerName)) {
            return null;
        }
        Class<?> owner = load(ownerName);
        if (owner == null) {
            return ownerName;
        }
        try {
            find(tag, owner, name, descriptor);
            return null;
        } catch (IllegalAccessException isThere) {
            return null; // a static one, or one that only subclasses see
        } catch (TypeNotPresentException inSignature) {
            return inSignature.typeName();
        } catch (NoSuchMethodException | NoSuchFieldException | LinkageError notThere) {
            return readable(tag, ownerName, name, descriptor);
        }
    }

    private void find(int tag, Class<?> owner, String name, String descriptor)
            throws NoSuchMethodException, NoSuchFieldException, IllegalAccessException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        if (tag == FIELD) {
            Class<?> type = MethodType.fromMethodDescriptorString("()" + descriptor, bridge)
                    .returnType();
            lookup.findGetter(owner, name, type);
            return;
        }
        MethodType type = MethodType.fromMethodDescriptorString(descriptor, bridge);
        if (name.equals("<init>")) {
            lookup.findConstructor(owner, type);
        } else {
            lookup.findVirtual(owner, name, type);
        }
    }

    private @Nullable Class<?> load(String name) {
        try {
            return Class.forName(name, false, bridge);
        } catch (ClassNotFoundException | LinkageError notThere) {
            return null;
        }
    }

    private static String readable(int tag, String owner, String name, String descriptor) {
        if (tag == FIELD) {
            return owner + "." + name;
        }
        StringJoiner parameters = new StringJoiner(", ", "(", ")");
        for (Type parameter : Type.getArgumentTypes(descriptor)) {
            String type = parameter.getClassName();
            parameters.add(type.substring(type.lastIndexOf('.') + 1));
        }
        return owner + "." + name + parameters;
    }

    private static String elementType(String internalName) {
        if (internalName.charAt(0) != '[') {
            return internalName;
        }
        int element = internalName.lastIndexOf('[') + 1;
        return internalName.charAt(element) == 'L'
                ? internalName.substring(element + 1, internalName.length() - 1)
                : "java.lang.Object";
    }
}
