package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The earlier attempts to build the instance, which RetryFilter uses.
 *
 * @param numAttempts number of attempts, including the present one
 * @param hosts the nodes that failed to build the instance
 */
public record Retry(long numAttempts, List<FailedNode> hosts) {
    public Retry {
        hosts = List.copyOf(hosts);
    }

    /**
     * A node that failed to build the instance.
     *
     * @param nodename null if unknown; RetryFilter then ignores the entry
     */
    public record FailedNode(String host, @Nullable String nodename) {}
}
