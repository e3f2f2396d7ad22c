package io.tokenbudget.core.estimates;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.util.function.ToIntFunction;

/** The only class that is linked to jtokkit, which a class path may lack. */
final class JtokkitCounter {
    private JtokkitCounter() {}

    /** Takes hundreds of milliseconds. What it answers is thread-safe and takes text that looks like special tokens for text. */
    static ToIntFunction<String> load(Vocabulary vocabulary) {
        Encoding encoding = Encodings.newLazyEncodingRegistry()
                .getEncoding(
                        switch (vocabulary) {
                            case O200K -> EncodingType.O200K_BASE;
                            case CL100K -> EncodingType.CL100K_BASE;
                        });
        return encoding::countTokensOrdinary;
    }
}
