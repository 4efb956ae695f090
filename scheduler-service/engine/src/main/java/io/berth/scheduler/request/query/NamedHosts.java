package io.berth.scheduler.request.query;

import java.util.List;

/**
 * The compute nodes that a request names.
 *
 * @param asked whether it names a host or node at all
 * @param computeNodeUuids the uuids of the named nodes that were found, in any order
 */
public record NamedHosts(boolean asked, List<String> computeNodeUuids) {
    public static final NamedHosts NONE = new NamedHosts(false, List.of());
}
