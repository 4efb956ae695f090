package io.berth.identity.log;

import jakarta.annotation.Nullable;
import java.util.Locale;

/**
 * One completed request.
 *
 * @param target path and query, cut if they are long
 * @param status 0 if the client went away before its response was complete
 * @param microversion as the response names it, with the service; null if there is none
 * @param userId null if the sender was not identified; the same holds for {@code projectId}
 */
record RequestLine(
        @Nullable String client, String method, String target, int status, long bytes, @Nullable String microversion,
        @Nullable String userId, @Nullable String projectId, @Nullable String requestId, double ms) {
    private static final int TARGET_LENGTH_MAX = 1_024;

    RequestLine {
        if (target.length() > TARGET_LENGTH_MAX) {
            target = target.substring(0, TARGET_LENGTH_MAX) + "...";
        }
    }

    @Override
    public String toString() {
        String version = microversion == null ? null : microversion.substring(microversion.lastIndexOf(' ') + 1);
        return String.format(
                Locale.ROOT, "%s \"%s %s\" status: %s len: %d microversion: %s user: %s project: %s request_id: %s ms: %.1f",
                shown(client), method, target, status == 0 ? "-" : status, bytes, shown(version), shown(userId),
                shown(projectId), shown(requestId), ms);
    }

    private static String shown(@Nullable String text) {
        return text == null ? "-" : text;
    }
}
