package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.placement.AllocationsAnswer;
import jakarta.annotation.Nullable;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * An instance that may be moved.
 *
 * @param registered where it is
 * @param requests with which it may be moved, the likeliest first; none: its demands are unknown
 */
record Movable(Origin origin, RegisteredInstance registered, AllocationsAnswer.Held held, List<Request> requests) {
    /**
     * The host it leaves.
     *
     * @param provider of its node
     * @param tree all providers of the node's tree; empty if placement does not know it
     */
    record Origin(String host, String nodename, UUID provider, @Nullable String cell, Set<String> tree) {}

    /**
     * @param decision whose request it was; null if the caller stated it
     * @param spec as a body of {@code POST /v1/moves} would have it
     */
    record Request(@Nullable UUID decision, ObjectNode spec, RequestSpecBody read) {
        private boolean isPinned() {
            return read.spec().schedulerHints().list(RunningInstance.PINNED).stream()
                    .anyMatch(RunningInstance::saysPinned);
        }
    }

    /** Returns whether its metadata, or the hints it was placed with, pin it to its host. */
    boolean isPinned() {
        return registered.running().isPinned() || requests.stream().anyMatch(Request::isPinned);
    }

    UUID uuid() {
        return registered.uuid();
    }

    boolean isOnOrigin() {
        return held.allocations().keySet().stream().anyMatch(origin.tree()::contains);
    }

    /** Returns the sum over all allocations. */
    long amount(String resourceClass) {
        return held.allocations().values().stream().mapToLong(each -> each.getOrDefault(resourceClass, 0L)).sum();
    }

    /** Returns the amount of a class that goes to another provider. */
    long moved(String resourceClass, Map<String, Map<String, Long>> to) {
        long moved = 0;
        Set<String> providers = new HashSet<>(to.keySet());
        for (String provider : providers) {
            long had = held.allocations().getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
            moved += Math.max(0, to.get(provider).getOrDefault(resourceClass, 0L) - had);
        }
        return moved;
    }
}
