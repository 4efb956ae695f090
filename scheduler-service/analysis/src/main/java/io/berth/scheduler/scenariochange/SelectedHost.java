package io.berth.scheduler.scenariochange;

import java.util.List;
import java.util.UUID;

/**
 * A host that a {@link Selector} found.
 *
 * @param host name of the host; a host that is not registered has the name of its root provider
 * @param providers uuids of the root providers of the host's nodes, or of an unregistered host's only root provider;
 * empty for a host that has only a service. If the host is selected for a change, without the nodes that placement does
 * not have
 */
public record SelectedHost(String host, List<UUID> providers) {
    public SelectedHost {
        providers = List.copyOf(providers);
    }
}
