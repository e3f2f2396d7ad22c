package io.tokenbudget.core;

import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.config.YamlSettings;
import io.tokenbudget.core.memory.MemoryLedger;
import io.tokenbudget.core.spi.Ledger;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes limiters. */
public final class TokenLimiters {
    private TokenLimiters() {}

    /** A builder with no budgets, the system's clock and a ledger in this process's memory. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link DefaultTokenLimiter}. Not thread-safe. */
    public static final class Builder {
        private Settings settings = Settings.DEFAULT;
        private InstantSource clock = InstantSource.system();
        private @Nullable Ledger ledger;

        private Builder() {}

        /**
         * The configuration as YAML text.
         *
         * @throws io.tokenbudget.core.config.ConfigurationException if anything in it is wrong, naming all of it
         * @throws IllegalArgumentException if it is a file's name
         */
        public Builder yaml(String text) {
            if (text.lines().count() == 1 && !text.contains(": ") && text.matches(".*\\.ya?ml\\s*")) {
                throw new IllegalArgumentException(
                        "yaml() takes the text of a configuration, not the name of a file: \"" + text
                                + "\"; read it with Files.readString(Path.of(...))");
            }
            this.settings = YamlSettings.parse(text, "yaml");
            return this;
        }

        /** The configuration as values. */
        public Builder settings(Settings settings) {
            this.settings = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /** The clock of windows and expiries, in place of the system's. */
        public Builder clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** The store, in place of this process's memory. It keeps its own clock. */
        public Builder ledger(Ledger ledger) {
            this.ledger = Objects.requireNonNull(ledger, "ledger");
            return this;
        }

        /** The limiter. */
        public DefaultTokenLimiter build() {
            Ledger store =
                    ledger != null ? ledger : new MemoryLedger(clock, settings.remember(), settings.rememberAtMost());
            return new DefaultTokenLimiter(settings, store, clock);
        }
    }
}
