package io.berth.scheduler.request;

import java.util.List;
import java.util.Set;

/**
 * A request's demands on a provider tree as a whole, in addition to those of its groups.
 *
 * @param rootRequired traits the root provider must have
 * @param rootForbidden traits the root provider must not have
 * @param sameSubtree each entry names groups, by requester id or by the suffix in the flavor; one of their providers
 *         must be an ancestor of the others
 * <br>Source: nova {@code objects/request_spec.py} (RequestLevelParams).
 */
public record RequestLevelParams(Set<String> rootRequired, Set<String> rootForbidden, List<List<String>> sameSubtree) {
    public static final RequestLevelParams NONE = new RequestLevelParams(Set.of(), Set.of(), List.of());

    public RequestLevelParams {
        rootRequired = Set.copyOf(rootRequired);
        rootForbidden = Set.copyOf(rootForbidden);
        sameSubtree = sameSubtree.stream().map(List::copyOf).toList();
    }
}
