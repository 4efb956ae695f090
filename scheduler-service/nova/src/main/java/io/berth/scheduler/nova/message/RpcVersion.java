package io.berth.scheduler.nova.message;

import jakarta.annotation.Nullable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of an RPC interface, or the version that a message requires. */
public record RpcVersion(int major, int minor) {
    /** The version that a message without a version requires. */
    public static final RpcVersion FIRST = new RpcVersion(1, 0);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

    /** Parses {@code major.minor}, of up to four digits each. Returns null for any other text. */
    public static @Nullable RpcVersion find(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? new RpcVersion(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))
                : null;
    }

    /** Returns whether a server of this version accepts a message that requires the version {@code required}. */
    public boolean serves(RpcVersion required) {
        return major == required.major && minor >= required.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
