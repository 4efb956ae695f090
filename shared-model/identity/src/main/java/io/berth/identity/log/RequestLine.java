package io.berth.identity.log;

import jakarta.annotation.Nullable;
import java.util.Locale;

/**
 * A line of the request log, about one request.
 *
 * @param client IP address of the client; null if unknown
 * @param target path and query, cut to 1,024 characters
 * @param status 0 if the connection ended before the response was complete
 * @param bytes size of the response's body that was sent
 * @param microversion the response header openstack-api-version, such as {@code placement 1.39}; null if the response
 *         lacks it
 * @param userId null if the sender was not identified
 * @param projectId null if the sender was not identified or has no project
 * @param ms time from the filter of {@link RequestLog} to the end of the response, in milliseconds
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
                Locale.ROOT,
                "%s \"%s %s\" status: %s len: %d microversion: %s user: %s project: %s request_id: %s ms: %.1f",
                orDash(client), method, target, status == 0 ? "-" : status, bytes, orDash(version), orDash(userId),
                orDash(projectId), orDash(requestId), ms);
    }

    private static String orDash(@Nullable String text) {
        return text == null ? "-" : text;
    }
}
