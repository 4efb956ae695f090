package io.berth.scheduler.drain;

import io.berth.model.Maps;
import io.berth.scheduler.drain.DrainStore.OpenMove;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.move.MoveState;
import io.berth.scheduler.placement.AllocationsResult;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the moves in progress from a drain's hosts. A move that has claimed its target (state MOVED) is in progress as
 * long as it holds allocations on its source. The state of its record is not enough: an operator may delete these
 * allocations in placement, which does not mark the record as confirmed. A move in state STARTED or REVERTING is always
 * in progress.
 */
@Singleton
class MovesUnderWay {
    /** The maximum number of moves that are evaluated: the latest. {@link Found#isWhole} is false if there are more. */
    private static final int MOVES_MAX = 1_000;

    private final DrainStore store;

    MovesUnderWay(DrainStore store) {
        this.store = store;
    }

    /**
     * A move in progress.
     *
     * @param host name of the host that the instance leaves
     * @param held amounts that the migration, or an evacuated instance, holds on the source, by provider and resource
     * class
     */
    record MoveInProgress(OpenMove move, String host, Map<String, Map<String, Long>> held) {}

    /**
     * The moves in progress.
     *
     * @param isWhole whether all moves were evaluated
     */
    record Found(List<MoveInProgress> moves, boolean isWhole) {
        Set<UUID> instances() {
            Set<UUID> instances = new HashSet<>();
            moves.forEach(each -> instances.add(each.move().instance()));
            return instances;
        }

        /** Returns the number of moves by the name of their source. */
        Map<String, Integer> byHost() {
            Map<String, Integer> counts = new HashMap<>();
            moves.forEach(each -> counts.merge(each.host(), 1, Integer::sum));
            return counts;
        }
    }

    /**
     * Reads the moves in progress that leave the hosts, and the allocations held there. Blocks; for the analysis
     * worker only. Throws ApiFault (503) if placement does not respond.
     */
    Found find(Snapshot snapshot, List<DrainedHost> hosts) {
        Map<UUID, String> hostByNode = new HashMap<>();
        for (DrainedHost host : hosts) {
            host.nodes().forEach(node -> hostByNode.put(node, host.host()));
            for (ComputeNode node : snapshot.registry().computeNodesOf(host.host())) {
                hostByNode.put(node.uuid(), host.host());
            }
        }
        List<OpenMove> openMoves = store.openMoves(hostByNode.keySet(), MOVES_MAX + 1).await().indefinitely();
        List<OpenMove> latest = openMoves.subList(0, Math.min(openMoves.size(), MOVES_MAX));
        Map<UUID, AllocationsResult.Allocations> held = snapshot.allocations(consumers(latest));
        List<MoveInProgress> moving = new ArrayList<>();
        for (OpenMove move : latest) {
            Map<String, Map<String, Long>> allocationsOnSource = allocationsOnSource(move, held);
            if (move.state() != MoveState.MOVED || !allocationsOnSource.isEmpty()) {
                moving.add(new MoveInProgress(move, Maps.require(hostByNode, move.source()), allocationsOnSource));
            }
        }
        return new Found(moving, openMoves.size() == latest.size());
    }

    private static Set<UUID> consumers(List<OpenMove> moves) {
        Set<UUID> consumers = new HashSet<>();
        for (OpenMove move : moves) {
            consumers.add(move.sourceHolder());
        }
        return consumers;
    }

    /**
     * Returns the allocations that a move holds on its source. If the instance itself holds them, as in an evacuation,
     * these are its allocations on the providers in {@link OpenMove#leftBehind}.
     */
    private static Map<String, Map<String, Long>> allocationsOnSource(OpenMove move,
            Map<UUID, AllocationsResult.Allocations> held) {
        Map<String, Map<String, Long>> all = new HashMap<>(Maps.require(held, move.sourceHolder()).allocations());
        if (!move.kind().migrationHoldsSource()) {
            all.keySet().retainAll(move.leftBehind());
        }
        return all;
    }
}
