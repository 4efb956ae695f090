package io.berth.scheduler.scenariochange;

import java.util.List;
import java.util.UUID;

/**
 * A selected host.
 *
 * @param host name of its service, or of its provider if it is not registered
 * @param providers of its nodes; empty for a host that has only a service
 */
public record SelectedHost(String host, List<UUID> providers) {
    public SelectedHost {
        providers = List.copyOf(providers);
    }
}
