package io.tokenbudget.core.estimates;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The vocabularies of OpenAI's models that can be counted exactly, and what stands in for them where text is long. */
enum Vocabulary {
    /** GPT-4o and later, the o series. What other vendors' present vocabularies are closest to in size. */
    O200K,
    /** GPT-4, GPT-3.5 and the embedding models. */
    CL100K;

    /** The vocabulary of a model by its name, also of a fine-tuned one; null if it is not known. */
    static @Nullable Vocabulary of(String model) {
        String name = model.toLowerCase(Locale.ROOT);
        name = name.substring(name.lastIndexOf('/') + 1);
        name = name.startsWith("ft:") ? name.substring(3) : name;
        if (startsWithAny(name, "gpt-4o", "gpt-4.", "chatgpt-")) {
            return O200K;
        }
        if (startsWithAny(name, "gpt-4", "gpt-3.5", "gpt-35", "text-embedding-3", "text-embedding-ada-002")) {
            return CL100K;
        }
        return startsWithAny(name, "gpt-", "o1", "o3", "o4", "codex-") ? O200K : null;
    }

    /** Tokens of each kind of character, in thousandths. */
    int[] weights() {
        return this == O200K ? TextWeights.O200K : TextWeights.CL100K;
    }

    private static boolean startsWithAny(String name, String... prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
