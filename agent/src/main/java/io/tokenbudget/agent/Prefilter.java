package io.tokenbudget.agent;

import io.tokenbudget.core.method.AnnotationValues;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a class file can declare a hooked method at all: then its constant pool contains that method's descriptor, or the
 * name of {@code @TokenBudget}, or it is one of the few classes that are hooked by name.
 *
 * <p>Never wrong in saying no; a yes may be a class that only calls such a method. Scans the constant pool as bytes,
 * allocates nothing, asks no class loader. Immutable.
 */
final class Prefilter {
    private static final int HEADER = 10;
    private static final int UTF8 = 1;

    private static final byte[] ANNOTATION =
            ('L' + AnnotationValues.ANNOTATION.replace('.', '/') + ';').getBytes(StandardCharsets.US_ASCII);

    private final byte[][] descriptors;

    private final Set<String> classes = new HashSet<>();

    /** @param chokePoints whose types are looked at whatever is in them */
    Prefilter(List<Hook> hooks, List<ChokePoint> chokePoints) {
        for (ChokePoint point : chokePoints) {
            classes.add(point.type().replace('.', '/'));
        }
        Set<String> distinct = new HashSet<>();
        for (Hook hook : hooks) {
            if (hook.exact()) {
                classes.add(hook.superType().replace('.', '/'));
            } else {
                distinct.add(hook.descriptor());
            }
        }
        this.descriptors = new byte[distinct.size()][];
        int i = 0;
        for (String descriptor : distinct) {
            descriptors[i++] = descriptor.getBytes(StandardCharsets.US_ASCII);
        }
    }

    boolean accepts(String internalName, byte[] classFile) {
        if (classes.contains(internalName)) {
            return true;
        }
        if (classFile.length < HEADER) {
            return false;
        }
        int entries = unsignedShort(classFile, HEADER - 2);
        int at = HEADER;
        for (int entry = 1; entry < entries && at + 2 < classFile.length; entry++) {
            int size = sizeOf(classFile, at);
            if (size == 0) {
                return true; // a constant of a later JVM: leave the decision to the weaver
            }
            if (classFile[at] == UTF8
                    && (isDescriptor(classFile, at + 3, size - 3) || isAnnotation(classFile, at + 3, size - 3))) {
                return true;
            }
            if (takesTwoEntries(classFile, at)) {
                entry++;
            }
            at += size;
        }
        return false;
    }

    /** A long or a double. */
    static boolean takesTwoEntries(byte[] classFile, int at) {
        return classFile[at] == 5 || classFile[at] == 6;
    }

    /** How many bytes the constant takes that begins at {@code at}; 0 for one of a later JVM. */
    static int sizeOf(byte[] classFile, int at) {
        return switch (classFile[at]) {
            case UTF8 -> 3 + unsignedShort(classFile, at + 1);
            case 5, 6 -> 9; // Long, Double
            case 7, 8, 16, 19, 20 -> 3; // Class, String, MethodType, Module, Package
            case 15 -> 4; // MethodHandle
            case 3, 4, 9, 10, 11, 12, 17, 18 -> 5; // Integer, Float, members, NameAndType, Dynamic
            default -> 0;
        };
    }

    private boolean isDescriptor(byte[] classFile, int start, int length) {
        if (length == 0 || start + length > classFile.length || classFile[start] != '(') {
            return false;
        }
        for (byte[] descriptor : descriptors) {
            if (descriptor.length == length && endsAlike(classFile, start, descriptor)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAnnotation(byte[] classFile, int start, int length) {
        return length == ANNOTATION.length
                && start + length <= classFile.length
                && endsAlike(classFile, start, ANNOTATION);
    }

    /** Compares from the end, where descriptors differ. */
    private static boolean endsAlike(byte[] classFile, int start, byte[] descriptor) {
        for (int i = descriptor.length - 1; i >= 0; i--) {
            if (classFile[start + i] != descriptor[i]) {
                return false;
            }
        }
        return true;
    }

    private static int unsignedShort(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
    }
}
