package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.List;

/** The hosts of earlier attempts to build the instance, for clouds that still use the RetryFilter. */
public record Retry(long numAttempts, List<Tried> hosts) {
    public Retry {
        hosts = List.copyOf(hosts);
    }

    /** A node that failed to build the instance. */
    public record Tried(String host, @Nullable String nodename) {}
}
