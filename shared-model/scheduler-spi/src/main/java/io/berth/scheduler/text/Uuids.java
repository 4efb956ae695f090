package io.berth.scheduler.text;

import io.berth.model.text.UuidForm;
import jakarta.annotation.Nullable;
import java.util.UUID;

/** Parses uuids of requests. */
public final class Uuids {
    private Uuids() {}

    /** Returns the uuid; null unless the text has the usual form of 36 characters, in either case. */
    public static @Nullable UUID find(String text) {
        return UuidForm.find(text).orElse(null);
    }
}
