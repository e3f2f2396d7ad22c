package io.tokenbudget.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.agent.ClassFiles;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C9 never in the way: what may run before the application's main")
class BootClassesTest {
    private static final int CLASS = 7;
    private static final int INVOKE_DYNAMIC = 18;
    private static final String[] FORBIDDEN = {
        "java/util/logging/",
        "java/lang/System$Logger",
        "java/nio/file/",
        "java/net/http/",
        "java/net/Socket",
        "java/net/InetAddress",
        "java/lang/management/",
        "javax/",
        "java/util/function/"
    };

    private static List<String> referencedClasses() throws Exception {
        List<String> names = new ArrayList<>();
        for (byte[] classFile : ClassFiles.inPackageOf(AgentMain.class)) {
            ClassReader reader = new ClassReader(classFile);
            if (!reader.getClassName().endsWith("package-info")) {
                names.addAll(classes(reader));
            }
        }
        return names;
    }

    private static List<String> classes(ClassReader reader) {
        List<String> names = new ArrayList<>();
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int item = reader.getItem(i);
            if (item > 0 && reader.readByte(item - 1) == CLASS) {
                names.add(reader.readUTF8(item, buffer));
            }
        }
        return names;
    }

    @Test
    void needsNothingButTheJdk() throws Exception {
        assertThat(referencedClasses())
                .isNotEmpty()
                .allMatch(name -> name.startsWith("java/")
                        || name.startsWith("[")
                        || name.startsWith("io/tokenbudget/agent/boot/"));
    }

    @Test
    void touchesNothingThatTheApplicationMayWantToConfigureFirst() throws Exception {
        for (String forbidden : FORBIDDEN) {
            assertThat(referencedClasses()).noneMatch(name -> name.startsWith(forbidden));
        }
    }

    @Test
    void linksNoCallSite() throws Exception {
        for (byte[] classFile : ClassFiles.inPackageOf(AgentMain.class)) {
            assertThat(tags(new ClassReader(classFile))).doesNotContain(INVOKE_DYNAMIC);
        }
    }

    private static List<Integer> tags(ClassReader reader) {
        List<Integer> tags = new ArrayList<>();
        for (int i = 1; i < reader.getItemCount(); i++) {
            int item = reader.getItem(i);
            if (item > 0) {
                tags.add(reader.readByte(item - 1));
            }
        }
        return tags;
    }
}
