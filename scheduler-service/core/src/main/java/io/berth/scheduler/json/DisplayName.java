package io.berth.scheduler.json;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;

/**
 * Checks names of instances, projects, users and drains: 1 to {@value #CHARACTERS_MAX} characters on one line, in any
 * script, not only blanks. Refuses control characters, line separators, unpaired surrogates and characters that change
 * the direction of the following text, because such characters would garble the lists and sentences that show the name.
 */
public final class DisplayName {
    /** Maximum code points of a name, as in keystone and nova; a longer name gets 400. */
    public static final int CHARACTERS_MAX = 255;

    private DisplayName() {}

    /** Reads a name; null if absent. Throws ApiFault (400) with the path of an invalid name. */
    public static @Nullable String read(StrictObject body, String member) {
        String name = body.text(member);
        String fault = name == null ? null : fault(name);
        if (fault != null) {
            throw body.invalid(member, fault);
        }
        return name;
    }

    /**
     * Reads the member {@code name} of an instance like {@link #read}. Also refuses a name in the form of a uuid,
     * because routes accept the uuid or the name of an instance.
     */
    public static @Nullable String readOfInstance(StrictObject body) {
        String name = body.text("name");
        String fault = name == null ? null : faultOfInstance(name);
        if (fault != null) {
            throw body.invalid("name", fault);
        }
        return name;
    }

    /**
     * Checks the name of a drain, which comes from the path of a URL, by the rules of {@link #readOfInstance}. Throws
     * ApiFault (400).
     */
    public static void checkDrainName(String name) {
        String fault = faultOfInstance(name);
        if (fault != null) {
            throw ApiFault.invalid("name: " + fault);
        }
    }

    private static @Nullable String faultOfInstance(String name) {
        return Uuids.find(name) == null ? fault(name) : "must not have the form of a uuid";
    }

    private static @Nullable String fault(String name) {
        if (name.isBlank()) {
            return "must not be empty";
        }
        if (name.codePointCount(0, name.length()) > CHARACTERS_MAX) {
            return "must not be longer than " + CHARACTERS_MAX + " characters";
        }
        return name.codePoints().allMatch(DisplayName::isPermitted)
                ? null
                : "must not contain control characters, line breaks, unpaired surrogates or characters that change"
                        + " the direction of the text";
    }

    private static boolean isPermitted(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> switch (Character.getDirectionality(character)) {
                case Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING, Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
                        Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING,
                        Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
                        Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT,
                        Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
                        Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE, Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
                        Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE -> false;
                default -> true;
            };
        };
    }
}
