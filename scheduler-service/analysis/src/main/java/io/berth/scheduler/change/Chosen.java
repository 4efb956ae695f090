package io.berth.scheduler.change;

import java.util.List;
import java.util.UUID;

/**
 * A host that is meant.
 *
 * @param host name of its service, or of its provider where nobody registered it
 * @param providers of its nodes; empty for one of which a service alone is known
 */
public record Chosen(String host, List<UUID> providers) {
    public Chosen {
        providers = List.copyOf(providers);
    }
}
