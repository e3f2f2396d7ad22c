package io.tokenbudget.core.estimates;

/**
 * How many thousandths of a token a character of each kind is on average.
 *
 * <p>Fitted with {@code benchmarks/estimates} to what the vocabularies really make of texts in eleven languages, code and
 * JSON; no weight is negative, so that a text never has fewer tokens than its beginning. {@code docs/estimates.md} has the
 * command and the errors that are left.
 */
final class TextWeights {
    static final int[] O200K = {
        346, 68, 6, 67, 0, 163, 514, 725, 0, 217, 1386, 0, 574, 368,
        0, 384, 315, 606, 229, 273, 371, 1412, 1041, 3, 0, 0, 1016, 0,
        0, 693, 98, 112, 510, 443, 2282, 363, 1383, 1162, 0, 0, 3010, 0,
        1432, 0, 1223, 300, 0, 300, 300, 300, 760, 1039, 300, 300, 558, 661,
        403, 300
    };

    static final int[] CL100K = {
        423, 58, 0, 93, 0, 320, 954, 647, 0, 186, 1394, 0, 516, 358,
        0, 391, 113, 641, 279, 186, 385, 2827, 862, 0, 689, 279, 786, 942,
        533, 698, 821, 1281, 1249, 537, 1982, 0, 1267, 1224, 1528, 767, 3184, 264,
        1666, 824, 1170, 300, 631, 300, 300, 300, 967, 1071, 300, 300, 697, 855,
        459, 300
    };

    private TextWeights() {}
}
