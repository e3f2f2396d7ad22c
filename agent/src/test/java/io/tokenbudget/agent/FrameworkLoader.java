package io.tokenbudget.agent;

import java.io.IOException;
import java.io.InputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * An application's loader with a framework of its own: the one on the class path, but, if asked, for one method or one
 * class, as if that version did not have it.
 */
final class FrameworkLoader extends ClassLoader {
    private final @Nullable String missingClass;
    private final @Nullable String missingMethod;

    /** The whole framework. */
    FrameworkLoader() {
        this(null, null);
    }

    private FrameworkLoader(@Nullable String missingClass, @Nullable String missingMethod) {
        super(FrameworkLoader.class.getClassLoader());
        this.missingClass = missingClass;
        this.missingMethod = missingMethod;
    }

    static FrameworkLoader withoutClass(String name) {
        return new FrameworkLoader(name, null);
    }

    static FrameworkLoader withoutMethod(String className, String method) {
        return new FrameworkLoader(className, method);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!Framework.owns(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        boolean special = name.equals(missingClass);
        if (special && missingMethod == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = special ? withoutMethod(in) : in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private byte[] withoutMethod(InputStream in) throws IOException {
        ClassWriter writer = new ClassWriter(0);
        ClassVisitor leavingOut = new ClassVisitor(OpenedClassReader.ASM_API, writer) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] thrown) {
                return name.equals(missingMethod)
                        ? null
                        : super.visitMethod(access, name, descriptor, signature, thrown);
            }
        };
        new ClassReader(in.readAllBytes()).accept(leavingOut, 0);
        return writer.toByteArray();
    }
}
