package io.tokenbudget.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Versions, as jars say them. */
final class Version {
    /** This agent's. */
    static final String OF_AGENT = ofAgent();

    private Version() {}

    private static String ofAgent() {
        try (InputStream in = Version.class.getResourceAsStream("agent.properties")) {
            String version = in == null ? null : property(in);
            return version == null ? "of unknown version" : version;
        } catch (IOException unreadable) {
            return "of unknown version";
        }
    }

    private static @Nullable String property(InputStream in) throws IOException {
        Properties properties = new Properties();
        properties.load(in);
        return properties.getProperty("version");
    }
}
