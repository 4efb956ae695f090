package io.berth.scheduler.request;

import java.util.List;
import java.util.Set;

/**
 * A request's demands on the whole provider tree, in addition to the demands of its request groups.
 * <br>Source: nova {@code objects/request_spec.py} (RequestLevelParams).
 *
 * @param rootRequired traits that the root provider must have
 * @param rootForbidden traits that the root provider must not have
 * @param sameSubtree lists of request groups, by requester id or by the suffix in the flavor. In each list, the
 *         provider of one group must be the same as, or an ancestor of, the provider of each other group
 */
public record RequestLevelParams(Set<String> rootRequired, Set<String> rootForbidden, List<List<String>> sameSubtree) {
    public static final RequestLevelParams NONE = new RequestLevelParams(Set.of(), Set.of(), List.of());

    public RequestLevelParams {
        rootRequired = Set.copyOf(rootRequired);
        rootForbidden = Set.copyOf(rootForbidden);
        sameSubtree = sameSubtree.stream().map(List::copyOf).toList();
    }
}
