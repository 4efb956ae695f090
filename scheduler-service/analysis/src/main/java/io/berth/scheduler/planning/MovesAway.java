package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.job.Snapshot;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Finds whether given instances on a host can all leave it, one after the other, and with which calls. Explanations use
 * it to propose moves that free amounts.
 */
@Singleton
public class MovesAway {
    private final Requests requests;

    MovesAway(Requests requests) {
        this.requests = requests;
    }

    /**
     * An instance that leaves its host.
     *
     * @param to name of the destination; null if the destination is unknown, because the instance is not registered or
     * its request is unknown
     * @param call the call that moves the instance, with members {@code service}, {@code method}, {@code path} and
     * {@code body}; null if {@code to} is null
     * @param held the instance's present allocations, by provider and resource class; empty if it is not registered
     * @param taken the allocations on the destination, by provider and resource class; empty if {@code to} is null
     */
    public record DepartingInstance(
            UUID instance, @Nullable String to, @Nullable ObjectNode call, Map<String, Map<String, Long>> held,
            Map<String, Map<String, Long>> taken) {}

    /**
     * Returns the moves in the order of the instances. Returns null if one of the instances is pinned to its host
     * ({@code berth:pinned}) or cannot move to another host, or if the time was up. An instance that is not registered,
     * or whose request is unknown, counts as one that can move. Blocks; for the analysis worker only.
     */
    public @Nullable List<DepartingInstance> plan(Snapshot snapshot, String host, List<UUID> instances) {
        var mover = new Mover(snapshot, requests, Map.of());
        List<Movable.Origin> origins = mover.origins(host);
        List<DepartingInstance> moves = new ArrayList<>();
        for (UUID uuid : instances) {
            RegisteredInstance instance = snapshot.registry().findInstance(uuid);
            Movable.Origin origin = instance == null ? null : origin(origins, instance);
            DepartingInstance departing = origin == null
                    ? new DepartingInstance(uuid, null, null, Map.of(), Map.of())
                    : departing(mover, mover.movables(origin, List.of(instance)).getFirst());
            if (departing == null) {
                return null;
            }
            moves.add(departing);
        }
        return moves;
    }

    private static @Nullable Movable.Origin origin(List<Movable.Origin> origins, RegisteredInstance instance) {
        return origins.stream()
                .filter(each -> instance.nodename() == null || instance.nodename().equals(each.nodename()))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable DepartingInstance departing(Mover mover, Movable movable) {
        if (movable.isPinned()) {
            return null;
        }
        Map<String, Map<String, Long>> held = movable.held().allocations();
        return switch (mover.attempt(movable, List.of(), null)) {
            case Mover.CanMove free -> {
                HostState to = mover.move(movable, free, free.decision().rankedHosts().getFirst());
                yield new DepartingInstance(
                        movable.uuid(), to.host(), new Step(movable, free.request(), to).call(UUID.randomUUID()), held,
                        to.allocationCandidates().getFirst().allocations());
            }
            case Mover.Stuck stuck when stuck.code() == Mover.Code.REQUEST_UNKNOWN ->
                new DepartingInstance(movable.uuid(), null, null, held, Map.of());
            case Mover.Stuck _, Mover.TimeUp _ -> null;
        };
    }
}
