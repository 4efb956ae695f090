package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.placement.AllocationsResult;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * An instance whose move is tried, with what the trial needs. It may be pinned to its host, or have no known request.
 *
 * @param origin the compute node that the instance would leave
 * @param registered the instance's registration, which names its host
 * @param held the instance's allocations
 * @param requests requests with which the instance may be moved, the likeliest first; empty if no request is known
 */
record Movable(Origin origin, RegisteredInstance registered, AllocationsResult.Allocations held,
        List<Request> requests) {
    /**
     * The compute node that the instance leaves.
     *
     * @param provider uuid of the node's root provider
     * @param cell uuid of the node's cell in nova; null if unknown
     * @param tree uuids of all providers of the node's tree; empty if placement does not have the node, and only the
     * root if the time was up before the tree was read
     */
    record Origin(String host, String nodename, UUID provider, @Nullable String cell, Set<String> tree) {}

    /**
     * A request with which the instance may be moved.
     *
     * @param decision the decision that recorded the request; null if the caller provided the request
     * @param spec the member {@code request_spec} of a body of {@code POST /v1/moves}
     * @param parsedSpec the parsed {@code spec}
     */
    record Request(@Nullable UUID decision, ObjectNode spec, RequestSpecBody parsedSpec) {
        private boolean isPinned() {
            return parsedSpec.spec().schedulerHints().list(RunningInstance.PINNED).stream()
                    .anyMatch(RunningInstance::saysPinned);
        }
    }

    /**
     * Returns whether the instance's metadata, or the scheduler hints of one of its requests, pin the instance to its
     * host with {@code berth:pinned}, so that Berth must not propose to move it.
     */
    boolean isPinned() {
        return registered.running().isPinned() || requests.stream().anyMatch(Request::isPinned);
    }

    UUID uuid() {
        return registered.uuid();
    }

    /** Returns whether the instance holds allocations on a provider of its origin's tree. */
    boolean isOnOrigin() {
        return held.allocations().keySet().stream().anyMatch(origin.tree()::contains);
    }

    /** Returns the amount of a class that the instance holds, summed over all providers. */
    long heldAmount(String resourceClass) {
        return held.allocations().values().stream().mapToLong(each -> each.getOrDefault(resourceClass, 0L)).sum();
    }

    /**
     * Returns the amount of a class that new allocations have on providers on which the instance does not hold it yet.
     *
     * @param to the new allocations, by provider uuid and resource class
     */
    long newAmount(String resourceClass, Map<String, Map<String, Long>> to) {
        long moved = 0;
        for (Map.Entry<String, Map<String, Long>> provider : to.entrySet()) {
            long present = held.allocations().getOrDefault(provider.getKey(), Map.of()).getOrDefault(resourceClass, 0L);
            moved += Math.max(0, provider.getValue().getOrDefault(resourceClass, 0L) - present);
        }
        return moved;
    }
}
