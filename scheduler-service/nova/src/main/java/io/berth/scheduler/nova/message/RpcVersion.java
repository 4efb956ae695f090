package io.berth.scheduler.nova.message;

import jakarta.annotation.Nullable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of an RPC interface, or the one that a message requires. */
public record RpcVersion(int major, int minor) {
    /** The version of a message that states none. */
    public static final RpcVersion FIRST = new RpcVersion(1, 0);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

    /** Returns null if the text is not a version. */
    public static @Nullable RpcVersion find(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? new RpcVersion(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))
                : null;
    }

    /** Returns whether a server of this version accepts a message of the other. */
    public boolean serves(RpcVersion asked) {
        return major == asked.major && minor >= asked.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
