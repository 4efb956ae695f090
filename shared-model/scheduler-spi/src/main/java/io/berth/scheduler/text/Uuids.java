package io.berth.scheduler.text;

import io.berth.model.text.UuidForm;
import jakarta.annotation.Nullable;
import java.util.UUID;

/** Parses uuids that were received in requests. */
public final class Uuids {
    private Uuids() {}

    /** Returns null for a text that is not a uuid in the usual form of 36 characters. */
    public static @Nullable UUID find(String text) {
        return UuidForm.find(text).orElse(null);
    }
}
