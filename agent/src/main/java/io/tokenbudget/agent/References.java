package io.tokenbudget.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;

/**
 * What an advice and all classes of ours that it reaches need of a framework: their constant pools name every class, method
 * and field that they refer to.
 */
final class References {
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int ASM_BUFFER_HEADROOM = 16;

    private final Set<Reference> found = new LinkedHashSet<>();
    private final Deque<String> toRead = new ArrayDeque<>();
    private final Set<String> seen = new HashSet<>();

    private References() {}

    /**
     * One class, or one member of it.
     *
     * @param owner the class's name
     * @param name the member's; empty if it is the class itself
     * @param descriptor the member's; empty if it is the class itself
     */
    record Reference(String owner, String name, String descriptor) {
        boolean isClass() {
            return name.isEmpty();
        }

        boolean isField() {
            return !isClass() && descriptor.charAt(0) != '(';
        }

        /** As people write it: {@code dev.langchain4j.Model.chat(Request)}. */
        @Override
        public String toString() {
            if (isClass()) {
                return owner;
            }
            return isField() ? owner + "." + name : Signatures.readable(owner, name, descriptor);
        }
    }

    /** @param advice the class's name */
    static Set<Reference> of(String advice) throws IOException {
        References references = new References();
        references.toRead.add(advice);
        while (!references.toRead.isEmpty()) {
            references.read(references.toRead.remove());
        }
        return references.found;
    }

    private void read(String className) throws IOException {
        ClassReader reader = reader(className);
        char[] buffer = new char[reader.getMaxStringLength() + ASM_BUFFER_HEADROOM];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int item = reader.getItem(i);
            int tag = item == 0 ? 0 : reader.readByte(item - 1);
            if (tag == CLASS) {
                addClass(Signatures.elementType(reader.readUTF8(item, buffer)));
            } else if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
                int nameAndType = reader.getItem(reader.readUnsignedShort(item + 2));
                addMember(
                        Signatures.elementType(reader.readClass(item, buffer)),
                        reader.readUTF8(nameAndType, buffer),
                        reader.readUTF8(nameAndType + 2, buffer));
            }
        }
    }

    private static ClassReader reader(String className) throws IOException {
        String resource = className.replace('.', '/') + ".class";
        try (InputStream in = References.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(resource + " is missing in the agent's jar");
            }
            return new ClassReader(in.readAllBytes());
        }
    }

    private void addClass(String name) {
        if (!seen.add(name)) {
            return;
        }
        if (BridgeLoader.defines(name)) {
            toRead.add(name);
        }
        if (Framework.owns(name)) {
            found.add(new Reference(name, "", ""));
        }
    }

    private void addMember(String owner, String name, String descriptor) {
        if (Framework.owns(owner)) {
            found.add(new Reference(owner, name, descriptor));
        }
    }
}
