package io.berth.scheduler.request.query;

import java.util.List;

/**
 * The compute nodes that a request names as its destination.
 *
 * @param isRestricted whether the request names a host or node, even one that does not exist
 * @param computeNodeUuids uuids of those named nodes that exist, in any order
 */
public record NamedHosts(boolean isRestricted, List<String> computeNodeUuids) {
    public static final NamedHosts NONE = new NamedHosts(false, List.of());
}
