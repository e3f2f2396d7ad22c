package io.tokenbudget.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Ids that the ledger makes")
class IdsTest {
    private static final long SEQUENCES = 1L << 31;

    private final Ids ids = new Ids();

    @Test
    void sayWhichRowAndWhichUseOfItTheyAreFor() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            int bits = random.nextInt(63);
            long sequence = random.nextLong() & (1L << bits) - 1;
            int row = random.nextInt() & (int) ((1L << random.nextInt(32)) - 1);

            String id = ids.id(sequence, row);

            assertThat(id).matches("r-[0-9a-v]{4}-[0-9a-v]{13}");
            assertThat(id.substring(7))
                    .isEqualTo(padded(Long.toUnsignedString((sequence % SEQUENCES) << 32 | row, 32)));
            long code = ids.code(id);
            assertThat(Ids.row(code)).isEqualTo(row);
            assertThat(Ids.isOf(code, sequence)).isTrue();
            assertThat(Ids.isOf(code, sequence + 1)).isFalse();
        }
    }

    @Test
    void areNotReadFromAnythingElse() {
        String id = ids.id(7, 5);
        String[] others = {
            "",
            "r-1",
            id + "0",
            id.substring(1),
            id.replace("r-", "R-"),
            id.substring(0, 19) + "w",
            id.substring(0, 19) + "A",
            id.substring(0, 19) + "\u0131",
            new Ids().id(7, 5).replace(id, "r-")
        };
        for (String other : others) {
            assertThat(ids.code(other)).as(other).isEqualTo(Ids.FOREIGN);
        }
    }

    private static String padded(String digits) {
        return "0".repeat(13 - digits.length()) + digits;
    }
}
