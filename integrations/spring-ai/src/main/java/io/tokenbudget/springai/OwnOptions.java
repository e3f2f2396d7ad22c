package io.tokenbudget.springai;

import java.lang.reflect.Field;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options that a model was built with, for those that do not show them: in Spring AI 1.x the models for embeddings,
 * images and speech. Their name is what budgets of models are kept by.
 *
 * <p>Thread-safe. The field is looked up once for each class and kept with that class.
 */
final class OwnOptions {
    // Values are JDK types: one of ours would tie the application's class to our loader.
    private static final ClassValue<Optional<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected Optional<Field> computeValue(Class<?> type) {
            return Optional.ofNullable(find(type));
        }
    };

    private OwnOptions() {}

    /** The options of {@code model}; null if it has none, or they cannot be reached. */
    static @Nullable Object of(Object model) {
        Field field = FIELDS.get(model.getClass()).orElse(null);
        try {
            return field == null ? null : field.get(model);
        } catch (IllegalAccessException unreadable) {
            return null;
        }
    }

    private static @Nullable Field find(Class<?> type) {
        try {
            return declared(type);
        } catch (LinkageError namesAMissingClass) {
            return null;
        }
    }

    private static @Nullable Field declared(Class<?> type) {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                String name = field.getName();
                if ((name.equals("defaultOptions") || name.equals("options")) && field.trySetAccessible()) {
                    return field;
                }
            }
        }
        return null;
    }
}
