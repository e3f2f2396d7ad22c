package io.tokenbudget.core;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Single lines for the operator: what was switched off, what passes unmetered, what broke.
 *
 * <p>Thread-safe, and safe to call from anywhere on a call's path: an implementation must not throw.
 */
@FunctionalInterface
public interface Notices {

    /** Through {@link System.Logger}, logger {@code io.tokenbudget}. */
    static Notices logger() {
        System.Logger logger = System.getLogger("io.tokenbudget");
        return line -> logger.log(System.Logger.Level.WARNING, line);
    }

    /** One line, without line breaks, without secrets and without another tenant's numbers. */
    void warn(String line);

    /** Passes each key's first line on and drops the rest; remembers at most a thousand keys. */
    default Once once() {
        return new Once(this);
    }

    /** Lines that would otherwise repeat with every call. Thread-safe: the set of keys is concurrent. */
    final class Once {
        private static final int MOST_KEYS = 1000;

        private final Notices notices;
        private final Set<String> seen = ConcurrentHashMap.newKeySet();

        private Once(Notices notices) {
            this.notices = notices;
        }

        /** Passes {@code line} on if {@code key} is new. */
        public void warn(String key, String line) {
            if (seen.size() < MOST_KEYS && seen.add(key)) {
                notices.warn(line);
            }
        }
    }
}
