package io.tokenbudget.agent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The internal names of what a class file extends and implements, read from its bytes without Byte Buddy. */
final class SuperNames {
    private static final int HEADER = 10;
    private static final int UTF8 = 1;

    private SuperNames() {}

    /** Null if it cannot be read: a constant of a later JVM, or no class file. */
    static @Nullable List<String> of(byte[] classFile) {
        try {
            int[] constants = new int[unsignedShort(classFile, HEADER - 2)];
            int at = HEADER;
            for (int entry = 1; entry < constants.length; entry++) {
                constants[entry] = at;
                int size = Prefilter.sizeOf(classFile, at);
                if (size == 0) {
                    return null;
                }
                if (Prefilter.takesTwoEntries(classFile, at)) {
                    entry++;
                }
                at += size;
            }
            List<String> names = new ArrayList<>();
            add(classFile, constants, unsignedShort(classFile, at + 4), names);
            int interfaces = unsignedShort(classFile, at + 6);
            for (int i = 0; i < interfaces; i++) {
                add(classFile, constants, unsignedShort(classFile, at + 8 + 2 * i), names);
            }
            return names;
        } catch (ArrayIndexOutOfBoundsException cutOff) {
            return null;
        }
    }

    /** @param index of the class's constant; 0 for none, which only {@code Object} and modules have */
    private static void add(byte[] classFile, int[] constants, int index, List<String> names) {
        if (index == 0) {
            return;
        }
        int text = constants[unsignedShort(classFile, constants[index] + 1)];
        if (classFile[text] == UTF8) {
            char[] name = new char[unsignedShort(classFile, text + 1)];
            for (int i = 0; i < name.length; i++) {
                name[i] = (char) (classFile[text + 3 + i] & 0xFF);
            }
            names.add(new String(name));
        }
    }

    private static int unsignedShort(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
    }
}
