package io.tokenbudget.agent;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;

/**
 * A method that a framework's own type must declare: in a version without it, the calls it stood for reach the providers on
 * a way that is not hooked.
 *
 * @param kind what is lost without it, as in {@link Hook}
 * @param type the framework's type
 * @param method the method's name
 * @param descriptor its exact descriptor
 */
record ChokePoint(String kind, String type, String method, String descriptor) {

    /** Whether {@code declaring}, which is this one's type, has it. */
    boolean isIn(TypeDescription declaring) {
        for (MethodDescription declared : declaring.getDeclaredMethods()) {
            if (declared.getName().equals(method) && declared.getDescriptor().equals(descriptor)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a method has the same signature but for the name: what it may be called now. */
    boolean isRenamedTo(MethodDescription other) {
        return !other.isAbstract()
                && !other.isStatic()
                && !other.isPrivate()
                && !other.getName().equals(method)
                && other.getDescriptor().equals(descriptor);
    }

    @Override
    public String toString() {
        return Signatures.readable(type, method, descriptor);
    }
}
