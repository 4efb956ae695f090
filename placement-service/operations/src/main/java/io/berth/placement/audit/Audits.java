package io.berth.placement.audit;

import io.berth.database.SqlFault;
import io.berth.placement.allocation.IncompleteConsumer;
import io.berth.placement.db.FleetChanges;
import io.berth.placement.db.HangingDatabase;
import io.berth.placement.fleet.FleetDrift;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Lists findings, heals selected findings, and undoes the healing. To heal, it searches the requested kinds of findings
 * without locks, locks the rows of the selected findings, and searches these findings again. A finding that has changed
 * by then is skipped. There are two exceptions. {@code MEMORY_DIFFERS} is never skipped, because an unnecessary reload
 * of the fleet is harmless. {@code ALLOCATION_WITHOUT_CONSUMER} is healed by an insertion of the consumer before the
 * locks, and skipped if another transaction has inserted the consumer.
 */
@Singleton
final class Audits {
    private static final AuditOutcome BUSY = new AuditOutcome.Conflict("Another audit or undo is running.");

    private final AuditTransaction transactions;
    private final FleetDrift drift;
    private final HangingDatabase database;
    private final IncompleteConsumer incomplete;
    private final AuditMetrics metrics;

    Audits(
            AuditTransaction transactions, FleetDrift drift, HangingDatabase database, IncompleteConsumer incomplete,
            AuditMetrics metrics) {
        this.transactions = transactions;
        this.drift = drift;
        this.database = database;
        this.incomplete = incomplete;
        this.metrics = metrics;
    }

    /** The findings, and the kinds that have more findings than the request's limit. */
    private record Found(List<Finding> findings, Set<FindingKind> truncated) {}

    /**
     * Lists findings and heals nothing. The result is an {@link AuditOutcome.Plan}, or an {@link AuditOutcome.Conflict}
     * if another audit or undo is running.
     */
    Uni<AuditOutcome> plan(AuditRequest request) {
        return transactions.read(
                connection -> find(connection, request)
                        .chain(found -> UndoStore.list(connection).map(
                                audits -> (AuditOutcome) new AuditOutcome.Plan(
                                        found.findings(), found.truncated(), audits))),
                BUSY).invoke(outcome -> {
                    if (outcome instanceof AuditOutcome.Plan plan
                            && request.kinds().containsAll(AuditRequest.ALL_BUT_UNKNOWN)) {
                        metrics.recordFindings(plan);
                    }
                });
    }

    /**
     * Heals the findings that the request selects. The result is an {@link AuditOutcome.Healed}, or an {@link
     * AuditOutcome.Conflict} if another audit or undo is running.
     *
     * @param userId the user who requested the healing; stored with the audit
     */
    Uni<AuditOutcome> apply(AuditRequest request, String userId) {
        return transactions.write(
                connection -> find(connection, request)
                        .chain(found -> heal(new HealingStore(connection), connection, request, userId, found)),
                BUSY);
    }

    /**
     * Restores the rows that an audit changed. The result is {@link AuditOutcome.Undone}, {@link
     * AuditOutcome.NoSuchAudit}, or an {@link AuditOutcome.Conflict} if another audit or undo is running, the audit has
     * been undone already, or a row cannot be restored: it has changed since the audit, its capacity is in use, or its
     * provider is gone.
     */
    Uni<AuditOutcome> undo(UUID audit) {
        return transactions.write(connection -> undo(connection, new UndoStore(connection, audit), audit), BUSY)
                .onFailure(UndoStore.Changed.class).recoverWithItem(changed -> new AuditOutcome.Conflict(
                        "Rows have changed since, or their capacity is in use: " + changed.getMessage()
                                + ". Nothing was restored."))
                .onFailure(SqlFault.FOREIGN_KEY_VIOLATION::isKindOf).recoverWithItem(new AuditOutcome.Conflict(
                        "The database's keys refuse a row whose provider is gone. Nothing was restored."));
    }

    /**
     * Compares the fleet in memory with the tables. Returns one finding if they differ; an empty list if they do not,
     * or if the request does not ask for this kind.
     */
    private Uni<List<Finding>> findInMemory(AuditRequest request) {
        if (!request.kinds().contains(FindingKind.MEMORY_DIFFERS)) {
            return Uni.createFrom().item(List.of());
        }
        return database.run(drift::find).map(found -> found.isEmpty()
                ? List.of()
                : List.of(Finding.of(FindingKind.MEMORY_DIFFERS, null, List.of(), 0, AuditJson.drift(found))));
    }

    /**
     * Finds inconsistencies of the fleet in memory, then those of the tables. The comparison of the fleet in memory
     * with the tables takes the memory of a second copy of the fleet. The caller holds the audit lock, so there is at
     * most one such copy at a time.
     */
    private Uni<Found> find(SqlConnection connection, AuditRequest request) {
        return findInMemory(request).chain(memory -> find(connection, request, memory));
    }

    private static Uni<Found> find(SqlConnection connection, AuditRequest request, List<Finding> inMemory) {
        return new FindingStore(connection).list(request).map(all -> {
            List<Finding> findings = new ArrayList<>(inMemory);
            Map<FindingKind, Integer> counts = new EnumMap<>(FindingKind.class);
            Set<FindingKind> truncated = EnumSet.noneOf(FindingKind.class);
            for (Finding finding : all) {
                if (counts.merge(finding.kind(), 1, Integer::sum) <= request.perKindMax()) {
                    findings.add(finding);
                } else {
                    truncated.add(finding.kind());
                }
            }
            return new Found(findings, truncated);
        });
    }

    /** Heals those of the findings that the request selects, and that are still true once their rows are locked. */
    private Uni<AuditOutcome> heal(
            HealingStore store, SqlConnection connection, AuditRequest request, String userId, Found found) {
        List<Finding> chosen = found.findings().stream().filter(request.apply()::selects).toList();
        if (chosen.isEmpty()) {
            return Uni.createFrom().item(new AuditOutcome.Healed(
                    null, List.of(), idsNotHealed(request, chosen, List.of()), found.truncated()));
        }
        UUID audit = UUID.randomUUID();
        boolean needsTreeLock = chosen.stream().anyMatch(finding -> finding.kind() == FindingKind.WRONG_ROOT);
        return (needsTreeLock ? AuditTransaction.lockTrees(connection) : Uni.createFrom().voidItem())
                .chain(() -> store.insertAudit(audit, userId))
                .chain(() -> lockAndConfirm(store, connection, request, audit, chosen))
                .call(confirmed -> healInOrder(store, audit, confirmed))
                .map(confirmed -> new AuditOutcome.Healed(
                        audit, confirmed, idsNotHealed(request, chosen, confirmed), found.truncated()));
    }

    /**
     * Inserts the missing consumers of allocations, locks the rows of the findings, and returns the findings to heal:
     * those that are still true, with the two exceptions that {@link Audits} describes.
     */
    private Uni<List<Finding>> lockAndConfirm(
            HealingStore store, SqlConnection connection, AuditRequest request, UUID audit, List<Finding> chosen) {
        UUID[] unowned = chosen.stream()
                .filter(finding -> finding.kind() == FindingKind.ALLOCATION_WITHOUT_CONSUMER)
                .map(Finding::subject).toArray(UUID[]::new);
        UUID[] consumers = chosen.stream().map(Finding::subject).filter(uuid -> uuid != null).toArray(UUID[]::new);
        Long[] providers = chosen.stream().flatMap(finding -> finding.providers().stream()).distinct()
                .toArray(Long[]::new);
        return store.insertConsumers(audit, unowned, incomplete.projectId(), incomplete.userId())
                .call(() -> store.lock(consumers, providers))
                .chain(given -> new FindingStore(connection).listAgain(request, chosen).map(again -> {
                    Set<String> ids = again.stream().map(Finding::id).collect(Collectors.toSet());
                    return chosen.stream().filter(finding -> switch (finding.kind()) {
                        case ALLOCATION_WITHOUT_CONSUMER -> given.contains(finding.subject());
                        case MEMORY_DIFFERS -> true;
                        default -> ids.contains(finding.id());
                    }).toList();
                }));
    }

    /** Heals the findings kind by kind, in the order of {@link FindingKind}, and records the changed providers. */
    private static Uni<Void> healInOrder(HealingStore store, UUID audit, List<Finding> confirmed) {
        Map<FindingKind, List<Finding>> byKind = new EnumMap<>(FindingKind.class);
        confirmed.forEach(finding -> byKind.computeIfAbsent(finding.kind(), kind -> new ArrayList<>()).add(finding));
        Long[] providers = confirmed.stream().flatMap(finding -> finding.providers().stream()).distinct()
                .toArray(Long[]::new);
        return Multi.createFrom().iterable(byKind.entrySet())
                .onItem().transformToUniAndConcatenate(entry -> store.heal(audit, entry.getKey(), entry.getValue()))
                .collect().asList()
                .chain(() -> store.publish(FleetChanges.PROVIDER, providers));
    }

    /** Returns the ids of findings that were selected or requested by id, and were not healed; sorted. */
    private static List<String> idsNotHealed(AuditRequest request, List<Finding> chosen, List<Finding> healed) {
        Set<String> wanted = new HashSet<>();
        chosen.forEach(finding -> wanted.add(finding.id()));
        if (request.apply() instanceof AuditRequest.Apply.Only only) {
            wanted.addAll(only.ids());
        }
        healed.forEach(finding -> wanted.remove(finding.id()));
        return wanted.stream().sorted().toList();
    }

    private static Uni<AuditOutcome> undo(SqlConnection connection, UndoStore store, UUID audit) {
        return store.lockAudit().chain(state -> {
            if (state == null) {
                return Uni.createFrom().item(new AuditOutcome.NoSuchAudit());
            }
            if (state.isUndone()) {
                return Uni.createFrom().item(new AuditOutcome.Conflict("It has been undone already."));
            }
            return store.count().chain(counts -> (counts.containsKey("root")
                    ? AuditTransaction.lockTrees(connection) : Uni.createFrom().voidItem())
                    .chain(() -> store.undoAll(counts))
                    .replaceWith(new AuditOutcome.Undone(
                            audit, counts.values().stream().mapToLong(Long::longValue).sum())));
        });
    }
}
