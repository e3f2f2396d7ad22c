package io.tokenbudget.core.estimates;

import java.util.Arrays;

/**
 * Reads a text a character at a time and says of each what it is to a tokenizer: the start of a word, its ninth letter, a
 * digit that begins a group. How many tokens a text has is then a sum of one weight for each character, and stays it
 * however the text is cut into pieces.
 *
 * <p>Follows how the vocabularies of today's models split a text before they merge: words with the space before them, groups
 * of three digits, runs of signs, runs of blanks. Not thread-safe.
 */
public final class TextScanner {
    private static final int LETTER = 0;
    private static final int CAPITAL = 1;
    private static final int DIGIT = 2;
    private static final int BLANK = 3;
    private static final int BREAK = 4;
    private static final int SIGN = 5;
    private static final int ACCENTED = 6;
    private static final int ALPHABET = 7;
    private static final int RIGHT_TO_LEFT = 8;
    private static final int SYLLABLES = 9;
    private static final int KANA = 10;
    private static final int IDEOGRAPH = 11;
    private static final int HANGUL = 12;
    private static final int WIDE_SIGN = 13;
    private static final int SYMBOL = 14;
    private static final int PICTURE = 15;
    private static final int NOTHING = 16;

    private static final byte[] ASCII = ascii();

    /** Letters of a word beyond this many are alike. */
    private static final int LONGEST = 13;

    /** For each letter of a word, which others it is like. */
    private static final byte[] LETTERS = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 6};

    private static final int WORD = 0;
    private static final int WORD_WITHOUT_SPACE = WORD + 7;
    private static final int CAPITALS = WORD_WITHOUT_SPACE + 1;
    private static final int GROUP = CAPITALS + 2;
    private static final int BLANKS = GROUP + 2;
    private static final int BREAKS = BLANKS + 3;
    private static final int SIGNS = BREAKS + 2;
    private static final int ACCENTS = SIGNS + 4;
    private static final int OTHERS = ACCENTS + 1;
    private static final int POSITIONS = 4;

    /** How many kinds of characters there are. */
    public static final int KINDS = OTHERS + POSITIONS * (NOTHING - ALPHABET);

    private int before = NOTHING;
    private int position;
    private char last;

    /** The kind of the next character, from zero to {@link #KINDS} - 1. */
    public int next(char c) {
        // Most of most texts.
        if (before == LETTER && c >= 'a' && c <= 'z') {
            position = Math.min(position + 1, LONGEST);
            last = c;
            return WORD + LETTERS[position];
        }
        int type = c < 128 ? ASCII[c] : beyondAscii(c);
        int kind = kind(type, c);
        before = type;
        last = c;
        return kind;
    }

    private int kind(int type, char c) {
        switch (type) {
            case LETTER, ACCENTED, CAPITAL -> {
                return letter(type);
            }
            case DIGIT -> {
                position = before == DIGIT ? position + 1 : 1;
                return position % 3 == 1 ? GROUP : GROUP + 1;
            }
            case BLANK -> {
                position = before == BLANK ? position + 1 : 1;
                return BLANKS + Math.min(position, 3) - 1;
            }
            case BREAK -> {
                position = before == BREAK ? position + 1 : 1;
                return BREAKS + Math.min(position, 2) - 1;
            }
            case SIGN -> {
                position = before == SIGN ? position + 1 : 1;
                return c == last ? SIGNS + 3 : SIGNS + Math.min(position, 3) - 1;
            }
            default -> {
                position = before == type ? position + 1 : 1;
                int bucket = position == 1 ? 0 : position <= 3 ? 1 : position <= 6 ? 2 : 3;
                return OTHERS + POSITIONS * (type - ALPHABET) + bucket;
            }
        }
    }

    private int letter(int type) {
        boolean inWord = before == LETTER || before == ACCENTED || before == CAPITAL;
        if (type == CAPITAL && (before == LETTER || before == ACCENTED)) {
            inWord = false;
        }
        boolean withSpace = !inWord && (before == BLANK || before == NOTHING);
        position = inWord ? Math.min(position + 1, LONGEST) : 1;
        if (type == ACCENTED) {
            return ACCENTS;
        }
        if (type == CAPITAL && inWord) {
            return position <= 3 ? CAPITALS : CAPITALS + 1;
        }
        return inWord || withSpace ? WORD + LETTERS[position] : WORD_WITHOUT_SPACE;
    }

    private static byte[] ascii() {
        byte[] types = new byte[128];
        Arrays.fill(types, (byte) SIGN);
        Arrays.fill(types, 'a', 'z' + 1, (byte) LETTER);
        Arrays.fill(types, 'A', 'Z' + 1, (byte) CAPITAL);
        Arrays.fill(types, '0', '9' + 1, (byte) DIGIT);
        types[' '] = BLANK;
        types['\t'] = BLANK;
        types['\n'] = BREAK;
        types['\r'] = BREAK;
        return types;
    }

    private static int beyondAscii(char c) {
        if (c < 0x0250) {
            return c < 0x00C0 ? SYMBOL : ACCENTED;
        }
        if (c < 0x0590) {
            return ALPHABET;
        }
        if (c < 0x0900) {
            return RIGHT_TO_LEFT;
        }
        if (c < 0x1E00) {
            return c >= 0x1100 && c < 0x1200 ? HANGUL : SYLLABLES;
        }
        if (c < 0x2000) {
            return c < 0x1F00 ? ACCENTED : ALPHABET;
        }
        if (c < 0x2E80) {
            return SYMBOL;
        }
        if (c < 0x3040) {
            return c >= 0x3000 ? WIDE_SIGN : IDEOGRAPH;
        }
        if (c < 0x3100) {
            return KANA;
        }
        if (c < 0xAC00) {
            return c >= 0x3130 && c < 0x3190 ? HANGUL : IDEOGRAPH;
        }
        if (c < 0xD800) {
            return HANGUL;
        }
        if (c < 0xE000) {
            return PICTURE;
        }
        return c >= 0xF900 && c < 0xFB00 ? IDEOGRAPH : c >= 0xFF00 ? WIDE_SIGN : SYMBOL;
    }
}
