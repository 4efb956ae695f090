package io.berth.identity.log;

import jakarta.annotation.Nullable;

/**
 * One change that was made. Long values are cut.
 *
 * @param old null where there was nothing
 * @param now null where there is nothing any more
 */
record ChangeLine(
        String what, String userId, @Nullable String projectId, String requestId, @Nullable String old, @Nullable String now) {
    private static final int VALUE_LENGTH_MAX = 4_096;

    ChangeLine {
        old = cut(old);
        now = cut(now);
    }

    private static @Nullable String cut(@Nullable String value) {
        return value == null || value.length() <= VALUE_LENGTH_MAX ? value : value.substring(0, VALUE_LENGTH_MAX) + "...";
    }

    @Override
    public String toString() {
        return what + (old == null ? " added" : now == null ? " removed" : " changed")
                + " user: " + userId + " project: " + (projectId == null ? "-" : projectId) + " request_id: " + requestId
                + " old: " + (old == null ? "-" : old) + " new: " + (now == null ? "-" : now);
    }
}
