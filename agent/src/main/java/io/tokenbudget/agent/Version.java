package io.tokenbudget.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Versions, as jars say them. */
public final class Version {
    /** This agent's. */
    public static final String OF_AGENT = ofAgent();

    private Version() {}

    private static String ofAgent() {
        try (InputStream in = Version.class.getResourceAsStream("agent.properties")) {
            String version = in == null ? null : property(in);
            return version == null ? "of unknown version" : version;
        } catch (IOException unreadable) {
            return "of unknown version";
        }
    }

    /**
     * What Maven left in the jar, or what the jar of {@code landmark} says, or null. Loads no class, because that one may be
     * being defined at this moment, and opens nothing itself.
     */
    static @Nullable String ofJar(ClassLoader loader, String landmark, String pomProperties) {
        try (InputStream in = loader.getResourceAsStream(pomProperties)) {
            String version = in == null ? null : property(in);
            if (version != null) {
                return version;
            }
            Package ofLandmark = loader.getDefinedPackage(landmark.substring(0, landmark.lastIndexOf('.')));
            return ofLandmark == null ? null : ofLandmark.getImplementationVersion();
        } catch (IOException unknown) {
            return null;
        }
    }

    private static @Nullable String property(InputStream in) throws IOException {
        Properties properties = new Properties();
        properties.load(in);
        return properties.getProperty("version");
    }
}
