package io.berth.scheduler.json;

import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;

/**
 * A name that people gave something: any text of 1 to {@value #CHARACTERS_MAX} characters on one line, in any script.
 * Refused are control characters, line separators, halves of surrogate pairs and what turns the direction of the text behind
 * it around, since names are printed among other text.
 */
public final class DisplayName {
    /** Unicode characters, as names have at most in keystone and nova. */
    public static final int CHARACTERS_MAX = 255;

    private DisplayName() {}

    /** Returns null when absent. Throws ApiFault (400) with the path of what is no name. */
    public static @Nullable String read(StrictObject body, String member) {
        String name = body.text(member);
        String fault = name == null ? null : fault(name);
        if (fault != null) {
            throw body.invalid(member, fault);
        }
        return name;
    }

    /** As {@link #read}, of what a uuid is taken for, too: a name that looks like one is refused. */
    public static @Nullable String readOfInstance(StrictObject body) {
        String name = read(body, "name");
        if (name != null && Uuids.find(name) != null) {
            throw body.invalid("name", "must not have the form of a uuid");
        }
        return name;
    }

    private static @Nullable String fault(String name) {
        if (name.isBlank()) {
            return "must not be empty";
        }
        if (name.codePointCount(0, name.length()) > CHARACTERS_MAX) {
            return "must not be longer than " + CHARACTERS_MAX + " characters";
        }
        return name.codePoints().allMatch(DisplayName::isPrinted)
                ? null
                : "must not have control characters, line breaks, halves of characters or marks that embed or override a direction";
    }

    private static boolean isPrinted(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> switch (Character.getDirectionality(character)) {
                case Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING, Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
                        Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING, Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
                        Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT, Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
                        Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE, Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
                        Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE -> false;
                default -> true;
            };
        };
    }
}
