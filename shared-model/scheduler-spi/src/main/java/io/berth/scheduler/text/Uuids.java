package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.HexFormat;
import java.util.UUID;

/** Uuids as they come over the wire; java.util's own parser takes shortened forms. */
public final class Uuids {
    private static final int LENGTH = 36;

    private Uuids() {}

    /** Null for anything but the usual 36 characters. */
    public static @Nullable UUID find(String text) {
        if (text.length() != LENGTH) {
            return null;
        }
        long most = 0;
        long least = 0;
        for (int i = 0; i < LENGTH; i++) {
            char c = text.charAt(i);
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (c != '-') {
                    return null;
                }
            } else if (!HexFormat.isHexDigit(c)) {
                return null;
            } else if (i < 18) {
                most = most << 4 | HexFormat.fromHexDigit(c);
            } else {
                least = least << 4 | HexFormat.fromHexDigit(c);
            }
        }
        return new UUID(most, least);
    }
}
