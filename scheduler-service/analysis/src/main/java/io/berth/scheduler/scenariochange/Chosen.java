package io.berth.scheduler.scenariochange;

import java.util.List;
import java.util.UUID;

/**
 * A selected host.
 *
 * @param host name of its service, or of its provider if it is not registered
 * @param providers of its nodes; empty for a host that has only a service
 */
public record Chosen(String host, List<UUID> providers) {
    public Chosen {
        providers = List.copyOf(providers);
    }
}
