package io.tokenbudget.agent;

import io.tokenbudget.agent.References.Reference;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Predicate;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * An application's loader with a framework of its own: the one on the class path, but, if asked, for one class or one
 * member, as if that version did not have it.
 */
final class FrameworkLoader extends ClassLoader {
    private final Predicate<Reference> missing;

    /** The whole framework. */
    FrameworkLoader() {
        this(reference -> false);
    }

    private FrameworkLoader(Predicate<Reference> missing) {
        super(FrameworkLoader.class.getClassLoader());
        this.missing = missing;
    }

    static FrameworkLoader withoutClass(String name) {
        return new FrameworkLoader(
                reference -> reference.isClass() && reference.owner().equals(name));
    }

    static FrameworkLoader withoutMethod(String className, String method) {
        return new FrameworkLoader(reference ->
                reference.owner().equals(className) && reference.name().equals(method));
    }

    /** Without a class, or without a member of that name and type in any class: a super class may be the one that has it. */
    static FrameworkLoader without(Reference lost) {
        return lost.isClass()
                ? withoutClass(lost.owner())
                : new FrameworkLoader(reference -> reference.name().equals(lost.name())
                        && reference.descriptor().equals(lost.descriptor()));
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
        if (missing.test(new Reference(name, "", ""))) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = withoutMembers(name, in);
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private byte[] withoutMembers(String owner, InputStream in) throws IOException {
        ClassWriter writer = new ClassWriter(0);
        ClassVisitor leavingOut = new ClassVisitor(OpenedClassReader.ASM_API, writer) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] thrown) {
                return missing.test(new Reference(owner, name, descriptor))
                        ? null
                        : super.visitMethod(access, name, descriptor, signature, thrown);
            }

            @Override
            public @Nullable FieldVisitor visitField(
                    int access, String name, String descriptor, @Nullable String signature, @Nullable Object value) {
                return missing.test(new Reference(owner, name, descriptor))
                        ? null
                        : super.visitField(access, name, descriptor, signature, value);
            }
        };
        new ClassReader(in.readAllBytes()).accept(leavingOut, 0);
        return writer.toByteArray();
    }
}
