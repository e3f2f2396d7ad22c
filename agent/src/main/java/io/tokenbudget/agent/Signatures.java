package io.tokenbudget.agent;

import java.util.StringJoiner;
import net.bytebuddy.jar.asm.Type;

/** Names in class files, as people write them. */
final class Signatures {
    private Signatures() {}

    /** {@code dev.langchain4j.Model.chat(Request)}. */
    static String readable(String owner, String method, String descriptor) {
        StringJoiner parameters = new StringJoiner(", ", "(", ")");
        for (Type parameter : Type.getArgumentTypes(descriptor)) {
            String type = parameter.getClassName();
            parameters.add(type.substring(type.lastIndexOf('.') + 1));
        }
        return owner + "." + method + parameters;
    }

    /** The class's name with dots; of an array, that of its elements. */
    static String elementType(String internalName) {
        if (internalName.charAt(0) != '[') {
            return internalName.replace('/', '.');
        }
        int element = internalName.lastIndexOf('[') + 1;
        return internalName.charAt(element) == 'L'
                ? internalName.substring(element + 1, internalName.length() - 1).replace('/', '.')
                : "java.lang.Object";
    }
}
