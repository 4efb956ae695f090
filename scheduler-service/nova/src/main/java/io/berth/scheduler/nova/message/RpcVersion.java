package io.berth.scheduler.nova.message;

import jakarta.annotation.Nullable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of an RPC interface, or the one that a message requires. */
public record RpcVersion(int major, int minor) {
    /** The version of a message that states none. */
    public static final RpcVersion FIRST = new RpcVersion(1, 0);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

    /** Parses {@code major.minor}, of up to four digits each. Returns null for any other text. */
    public static @Nullable RpcVersion find(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? new RpcVersion(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))
                : null;
    }

    /** Returns whether a server of this version accepts a message that requires the version {@code asked}. */
    public boolean serves(RpcVersion asked) {
        return major == asked.major && minor >= asked.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
