package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.UUID;
import java.util.regex.Pattern;

/** Uuids as they come over the wire; java.util's own parser takes shortened forms. */
public final class Uuids {
    private static final Pattern FORM =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private Uuids() {}

    /** Null for anything but the usual 36 characters. */
    public static @Nullable UUID find(String text) {
        return FORM.matcher(text).matches() ? UUID.fromString(text) : null;
    }
}
