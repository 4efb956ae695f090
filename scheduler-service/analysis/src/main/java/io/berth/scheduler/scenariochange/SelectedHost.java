package io.berth.scheduler.scenariochange;

import java.util.List;
import java.util.UUID;

/**
 * A host that a {@link Selector} found.
 *
 * @param host name of the host's service, or of its root provider if the host is not registered
 * @param providers uuids of the root providers of the host's nodes; empty for a host that has only a service
 */
public record SelectedHost(String host, List<UUID> providers) {
    public SelectedHost {
        providers = List.copyOf(providers);
    }
}
