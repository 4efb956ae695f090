package io.berth.scheduler.drain;

import io.berth.scheduler.drain.DrainStore.OpenMove;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.move.MoveState;
import io.berth.scheduler.placement.AllocationsAnswer;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the moves from a drain's hosts that still hold something there. A move whose allocations on the source were
 * deleted in placement is over, although its record is confirmed only through {@code POST .../confirm}.
 */
@Singleton
class MovesUnderWay {
    /** Limits the latest moves that are looked at. */
    private static final int MOVES_MAX = 1_000;

    private final DrainStore store;

    MovesUnderWay(DrainStore store) {
        this.store = store;
    }

    /**
     * A move under way.
     *
     * @param host its source
     * @param held what the migration, or an evacuated instance, holds on the source, by provider and resource class
     */
    record Moving(OpenMove move, String host, Map<String, Map<String, Long>> held) {}

    /** @param isWhole whether all moves were looked at */
    record Found(List<Moving> moves, boolean isWhole) {
        Set<UUID> instances() {
            Set<UUID> instances = new HashSet<>();
            moves.forEach(each -> instances.add(each.move().instance()));
            return instances;
        }

        Map<String, Integer> byHost() {
            Map<String, Integer> counts = new HashMap<>();
            moves.forEach(each -> counts.merge(each.host(), 1, Integer::sum));
            return counts;
        }
    }

    /** Blocks: for the analysis worker. Throws ApiFault (503) if placement does not respond. */
    Found of(Snapshot snapshot, List<DrainedHost> hosts) {
        Map<UUID, String> hostByNode = new HashMap<>();
        for (DrainedHost host : hosts) {
            host.nodes().forEach(node -> hostByNode.put(node, host.host()));
            for (ComputeNode node : snapshot.registry().computeNodesOf(host.host())) {
                hostByNode.put(node.uuid(), host.host());
            }
        }
        List<OpenMove> open = store.openMoves(hostByNode.keySet(), MOVES_MAX + 1).await().indefinitely();
        List<OpenMove> latest = open.subList(0, Math.min(open.size(), MOVES_MAX));
        Map<UUID, AllocationsAnswer.Held> held = snapshot.allocations(consumers(latest));
        List<Moving> moving = new ArrayList<>();
        for (OpenMove move : latest) {
            Map<String, Map<String, Long>> onSource = onSource(move, held);
            if (move.state() != MoveState.MOVED || !onSource.isEmpty()) {
                moving.add(new Moving(move, hostByNode.get(move.source()), onSource));
            }
        }
        return new Found(moving, open.size() == latest.size());
    }

    private static Set<UUID> consumers(List<OpenMove> moves) {
        Set<UUID> consumers = new HashSet<>();
        for (OpenMove move : moves) {
            consumers.add(move.sourceHolder());
        }
        return consumers;
    }

    private static Map<String, Map<String, Long>> onSource(OpenMove move, Map<UUID, AllocationsAnswer.Held> held) {
        Map<String, Map<String, Long>> all = new HashMap<>(held.get(move.sourceHolder()).allocations());
        if (!move.kind().handsOver()) {
            all.keySet().retainAll(move.leftBehind());
        }
        return all;
    }
}
