package io.berth.scheduler.text;

import io.berth.model.text.UuidForm;
import jakarta.annotation.Nullable;
import java.util.UUID;

/** Parses uuids received over the wire. */
public final class Uuids {
    private Uuids() {}

    /** Returns null for anything except the usual 36 characters. */
    public static @Nullable UUID find(String text) {
        return UuidForm.find(text).orElse(null);
    }
}
