package io.berth.scheduler.requestrecord;

import io.berth.model.Maps;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.SettlementResult;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Decides how an open record, whose request may have made claims, is finished. Pure. The input comes from a settlement
 * ({@link io.berth.scheduler.placement.PlacementClient#settle}), after which placement refuses every earlier claim of
 * the request.
 */
final class RecoveryRules {
    private RecoveryRules() {}

    /** How a record is finished. */
    sealed interface Recovery {
        /** All instances hold the allocations of the precomputed response, so the record is closed as placed. */
        record Placed() implements Recovery {}

        /**
         * The request's claims are rolled back; later writes of other clients stay.
         *
         * @param restored the claims that restore the earlier allocations of the instances that a claim of the request
         *     was the last to write. No claim for an instance that holds nothing, or its earlier allocations already
         */
        record Undo(List<Claim> restored) implements Recovery {}
    }

    /**
     * Returns how the record is finished.
     *
     * @param settled the settled state of each instance that the record owns
     */
    static Recovery recoveryOf(RequestRecord record, Map<UUID, SettlementResult.SettledConsumer> settled) {
        return isAsPlanned(record, settled)
                ? new Recovery.Placed()
                : new Recovery.Undo(settled.entrySet().stream()
                        .filter(each -> record.hasWritten(each.getValue()))
                        .filter(each -> !each.getValue().held().allocations().isEmpty())
                        .filter(each -> !each.getValue().held().allocations()
                                .equals(record.heldBefore().get(each.getKey())))
                        .map(each -> Claim.replacing(each.getKey(), each.getValue().held(),
                                Maps.require(record.heldBefore(), each.getKey())))
                        .toList());
    }

    private static boolean isAsPlanned(RequestRecord record, Map<UUID, SettlementResult.SettledConsumer> settled) {
        if (record.answer() == null || !settled.keySet().containsAll(record.instances())) {
            return false;
        }
        List<Map<String, Map<String, Long>>> planned = record.answeredAllocations();
        for (int i = 0; i < record.instances().size(); i++) {
            var held = Maps.require(settled, record.instances().get(i)).held().allocations();
            if (held.isEmpty() || !held.entrySet().containsAll(planned.get(i).entrySet())) {
                return false;
            }
        }
        return true;
    }
}
