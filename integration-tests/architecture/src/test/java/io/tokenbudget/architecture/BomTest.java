package io.tokenbudget.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

@DisplayName("The BOM names whatever of ours comes with a module that it names")
class BomTest {
    private static final Path ROOT = Path.of("..", "..");

    @Test
    void isClosed() throws Exception {
        Set<String> listed = dependencies(pom("bom"), scope -> true);
        Map<String, Element> poms = pomsByArtifact();
        Set<String> withWhatTheyBring = new HashSet<>(listed);
        for (String artifact : listed) {
            Element pom = poms.get(artifact);
            assertFalse(pom == null, artifact + " is no module");
            withWhatTheyBring.addAll(dependencies(pom, scope -> scope.isEmpty() || scope.equals("runtime")));
        }
        assertEquals(listed, withWhatTheyBring);
    }

    private static Map<String, Element> pomsByArtifact() throws Exception {
        Map<String, Element> poms = new HashMap<>();
        NodeList modules = pom(".").getElementsByTagName("module");
        for (int i = 0; i < modules.getLength(); i++) {
            Element pom = pom(modules.item(i).getTextContent());
            poms.put(child(pom, "artifactId"), pom);
        }
        return poms;
    }

    private static Element pom(String folder) throws ParserConfigurationException, SAXException, IOException {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(ROOT.resolve(folder).resolve("pom.xml").toFile())
                .getDocumentElement();
    }

    /** The artifacts of ours among a POM's dependencies, by scope. */
    private static Set<String> dependencies(Element pom, Predicate<String> scopes) {
        Set<String> artifacts = new HashSet<>();
        NodeList dependencies = pom.getElementsByTagName("dependency");
        for (int i = 0; i < dependencies.getLength(); i++) {
            if (dependencies.item(i) instanceof Element dependency
                    && child(dependency, "groupId").equals("io.tokenbudget")
                    && scopes.test(child(dependency, "scope"))) {
                artifacts.add(child(dependency, "artifactId"));
            }
        }
        return artifacts;
    }

    /** The text of an element's own child; empty if there is none. */
    private static String child(Element parent, String name) {
        NodeList children = parent.getChildNodes();
        for (int i = 0; i < children.getLength(); i++) {
            if (children.item(i).getNodeName().equals(name)) {
                return children.item(i).getTextContent().strip();
            }
        }
        return "";
    }
}
