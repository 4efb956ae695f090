package io.berth.scheduler.requestrecord;

import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.groupreservation.GroupReservations;
import io.berth.scheduler.groupreservation.SourceReservation;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Creates the {@link RecordedClaims} of requests that place instances. Each request has a record, which is open until
 * the outcome of the request is known. Also finishes the open records of earlier requests with which a new request is
 * in conflict.
 */
@Singleton
public class RequestRecords {
    final RequestRecordStore store;
    final RequestRollback rollback;
    final Completions completions;
    final RequestLeases leases;
    final FenceNumbers numbers;
    final GroupReservations reservations;
    final ClaimLoop loop;
    private final PlacementClient placement;
    private final RegistryFeed feed;

    RequestRecords(
            RequestRecordStore store,
            RequestRollback rollback,
            Completions completions,
            RequestLeases leases,
            FenceNumbers numbers,
            GroupReservations reservations,
            ClaimLoop loop,
            PlacementClient placement,
            RegistryFeed feed) {
        this.store = store;
        this.rollback = rollback;
        this.completions = completions;
        this.leases = leases;
        this.numbers = numbers;
        this.reservations = reservations;
        this.loop = loop;
        this.placement = placement;
        this.feed = feed;
    }

    /**
     * Returns the claims of a request that places instances; nothing is claimed yet. Fails with ApiFault: 501 if
     * placement does not support fence numbers. If the instances keep held allocations, also 503 if placement does not
     * respond, and 409 while another request places one of the instances.
     */
    public Uni<RecordedClaims> claims(IdempotencyKey requestKey) {
        Uni<Void> supported = requireSettlements(requestKey.requestId());
        if (!requestKey.keepsAllocations()) {
            return supported.map(
                    ignored -> new RecordedClaims(this, requestKey, new ClaimWrite.Add(), Map.of(), Map.of()));
        }
        return supported.chain(() -> takeOver(requestKey))
                .chain(() -> holdings(requestKey.instances(), requestKey.requestId()))
                .chain(held -> feed.current().map(
                        registry -> new RecordedClaims(
                                this, requestKey, new ClaimWrite.Add(), held, sourceReservations(held, registry))));
    }

    /**
     * Returns the claims of a request that replaces the allocations of its one instance; nothing is claimed yet.
     *
     * @param replaced the allocations that the instance holds, as read from placement
     */
    public RecordedClaims replacingClaims(IdempotencyKey requestKey, AllocationsResult.Allocations replaced) {
        return new RecordedClaims(
                this, requestKey, new ClaimWrite.Replace(), Map.of(requestKey.instances().getFirst(), replaced),
                Map.of());
    }

    /**
     * Fails with ApiFault (501) if the Placement is not Berth's. Another Placement cannot settle claims, so hosts
     * cannot be claimed.
     */
    public Uni<Void> requireSettlements(String requestId) {
        return placement.hasSettlements(requestId).invoke(has -> {
            if (!has) {
                throw new ApiFault(
                        ErrorCode.NEEDS_BERTH_PLACEMENT,
                        "the Placement at berth.placement-url is not Berth's, so hosts cannot be claimed and"
                                + " instances cannot be moved; dry runs, simulations, explanations and the shadow of"
                                + " a nova-scheduler work");
            }
        }).replaceWithVoid();
    }

    /**
     * Returns for each registered instance that holds allocations a source reservation: it keeps the instance's place
     * in its server group on the host where the instance is registered. The reservation counts as long as the instance
     * holds allocations on the host's compute nodes; if it holds none there now, as long as it holds any of its present
     * allocations.
     */
    private static Map<UUID, SourceReservation> sourceReservations(Map<UUID, AllocationsResult.Allocations> held,
            RegistrySnapshot registry) {
        Map<UUID, SourceReservation> reservations = new HashMap<>();
        held.forEach((instance, holds) -> {
            RegisteredInstance registered = registry.findInstance(instance);
            if (registered != null) {
                Set<String> nodes = registry.computeNodesOf(registered.host()).stream()
                        .map(node -> node.uuid().toString())
                        .filter(holds.allocations()::containsKey)
                        .collect(Collectors.toSet());
                reservations.put(instance, new SourceReservation(
                        registered.host(), instance, nodes.isEmpty() ? holds.allocations().keySet() : nodes));
            }
        });
        return reservations;
    }

    /**
     * Makes a request the only owner of its instances: ends the ownership by records of placed requests, and finishes
     * the records that were left open. Fails with ApiFault: 409 while another request for one of the instances is in
     * flight, 503 if placement does not respond.
     */
    public Uni<Void> takeOver(IdempotencyKey requestKey) {
        return store.endOwnership(requestKey.instances(), requestKey.key()).chain(open -> open.isEmpty()
                ? Uni.createFrom().voidItem()
                : Multi.createFrom().iterable(open)
                        .onItem().transformToUniAndConcatenate(instance -> settle(instance, requestKey.requestId()))
                        .onItem().ignoreAsUni()
                        .chain(() -> store.endOwnership(requestKey.instances(), requestKey.key()))
                        .invoke(stillOwned -> {
                            if (!stillOwned.isEmpty()) {
                                throw underWay();
                            }
                        })
                        .replaceWithVoid());
    }

    /**
     * Finishes the open record that owns an instance, if there is one. Fails with ApiFault: 409 while another request
     * or replica works on the record, 503 if placement does not respond.
     */
    public Uni<Void> settle(UUID instance, String requestId) {
        IdempotencyKey requestKey = IdempotencyKey.ofInstance(instance, requestId);
        return store.find(requestKey).chain(records -> Multi.createFrom().iterable(records)
                .select().where(RequestRecord::isOpen)
                .onItem().transformToUniAndConcatenate(record -> close(requestKey, record))
                .onItem().ignoreAsUni());
    }

    /**
     * Closes an open record. While an owner works on it, the record can only be closed as placed, and only if the
     * planned claim was accepted. Without such an owner, takes the record over and finishes it. Returns the record if
     * the request is placed; null if it is rolled back or the record is gone. Fails with ApiFault like {@link #settle}.
     */
    private Uni<RequestRecord> close(IdempotencyKey requestKey, RequestRecord record) {
        return record.isWorkedOn()
                ? isPlaced(record)
                        .chain(isPlaced -> isPlaced
                                ? store.closeAsPlannedOfAnyOwner(record)
                                : Uni.createFrom().item(false))
                        .chain(isClosed -> isClosed ? Uni.createFrom().item(record) : readClosed(requestKey, record))
                : store.take(record.key(), RequestLeases.LEASE.toSeconds()).chain(takenRecord -> takenRecord == null
                        ? readClosed(requestKey, record)
                        : rollback.finish(takenRecord).map(outcome -> switch (outcome) {
                            case PLACED -> takenRecord;
                            case ROLLED_BACK -> null;
                            case RETRY_LATER -> throw unknownOutcome();
                        }));
    }

    /**
     * Reads a record again that was open, because it may have been closed since. Returns null if the record was
     * deleted, or if it has another key and owns none of the request's instances any more. Fails with ApiFault (409) if
     * the record is still open.
     */
    private Uni<RequestRecord> readClosed(IdempotencyKey requestKey, RequestRecord record) {
        return find(requestKey, record.key()).invoke(each -> {
            if (each != null && each.isOpen()) {
                throw underWay();
            }
        });
    }

    /**
     * Returns the record with this key, if it is the key of the request or if the record owns one of the request's
     * instances; otherwise null.
     */
    private Uni<RequestRecord> find(IdempotencyKey requestKey, String key) {
        return store.find(requestKey)
                .map(records -> records.stream().filter(record -> record.key().equals(key)).findFirst().orElse(null));
    }

    /**
     * Returns whether placement accepted the planned claim of an open record: the first claim, whose success makes the
     * precomputed response valid. The record may still be open then, because the owner closes it only after this
     * response is sent.
     */
    private Uni<Boolean> isPlaced(RequestRecord record) {
        return record.answer() == null
                ? Uni.createFrom().item(false)
                : rollback.compareHoldings(record, true)
                        .chain(holding -> holding == RequestRollback.Holding.AS_IN_RESPONSE
                                ? Uni.createFrom().item(true)
                                : rollback.wasClaimed(record));
    }

    /**
     * Deletes the record of an instance deletion that failed. The release of the allocations must have ended, or must
     * be one that placement will refuse. Never fails.
     *
     * @param number first fence number of the record's owner
     */
    public Uni<Void> discardFailedDeletion(String key, long number) {
        return store.deleteRolledBack(key, number)
                // If the statement fails, any replica finishes the record when its lease has expired.
                .onFailure().recoverWithNull();
    }

    /**
     * Ends this replica's ownership of the record of an instance deletion, one step of which had no response, so that
     * any replica finishes the deletion after a second. Never fails.
     */
    public Uni<Void> giveUpUnansweredDeletion(String key, String requestId) {
        return OpenWork.retryAfterLoss(store.postpone(key, null, requestId, 1))
                // If the statement fails, any replica finishes the record when the lease has expired.
                .onFailure().recoverWithNull();
    }

    /**
     * Rolls back a request whose response no client received. If placement does not respond, the record stays open and
     * any replica finishes it. Every later owner also rolls the request back, because the record has no response then.
     *
     * @return true if the request was rolled back, will be rolled back, or has no record; false if it cannot be rolled
     *     back now, because its record is open, or has been deleted meanwhile, or one of its instances has an open move
     */
    public Uni<Boolean> retract(IdempotencyKey requestKey) {
        return find(requestKey, requestKey.key()).chain(record -> record == null
                ? Uni.createFrom().item(true)
                : store.reopen(record.key(), RequestLeases.LEASE.toSeconds(), true)
                        .chain(takenRecord -> takenRecord == null
                                ? Uni.createFrom().item(false)
                                : rollback.finish(takenRecord).replaceWith(true)));
    }

    /**
     * Counts a failed build on a node, for the weigher BuildFailureWeigher, until the node's next report.
     *
     * @param nodename name of the node; null for all nodes of the host
     */
    public Uni<Void> countFailedBuild(String host, @Nullable String nodename) {
        return store.countFailedBuild(host, nodename);
    }

    /**
     * Returns what the records of earlier requests for the same instances mean for a request. Finishes records that
     * were left open, if possible. Fails only if a database fails; any other failure is a {@link PriorRequest.Refused}.
     */
    public Uni<PriorRequest> resolvePrior(IdempotencyKey requestKey) {
        return store.find(requestKey).chain(records -> Multi.createFrom().iterable(records)
                .onItem().transformToUniAndConcatenate(record -> resolvePrior(requestKey, record))
                .collect().asList()
                .map(all -> all.stream().max(Comparator.comparingInt(RequestRecords::precedence))
                        .orElse(new PriorRequest.Nothing())));
    }

    /**
     * Returns the stored response to this request, if its instances were placed and still hold the allocations of the
     * response; otherwise null.
     */
    public Uni<String> answerOf(IdempotencyKey requestKey) {
        return find(requestKey, requestKey.key()).chain(record -> record == null || record.isOpen()
                || record.answer() == null
                        ? Uni.createFrom().nullItem()
                        : rollback.compareHoldings(record, requestKey.keepsAllocations())
                                .map(holding -> holding == RequestRollback.Holding.AS_IN_RESPONSE
                                        ? record.answer()
                                        : null));
    }

    private static int precedence(PriorRequest prior) {
        return switch (prior) {
            case PriorRequest.Nothing _ -> 0;
            case PriorRequest.Cleared _ -> 1;
            case PriorRequest.Answered _ -> 2;
            case PriorRequest.Refused _ -> 3;
        };
    }

    private Uni<PriorRequest> resolvePrior(IdempotencyKey requestKey, RequestRecord record) {
        boolean isRepetition = record.fingerprint().equals(requestKey.fingerprint())
                && record.instances().equals(requestKey.instances());
        // The stored record must not be replaced, because it has instances that are not in this request.
        if (record.key().equals(requestKey.key()) && !requestKey.instances().containsAll(record.instances())) {
            return Uni.createFrom().item(new PriorRequest.Refused(new ApiFault(
                    ErrorCode.CONFLICT, "the Idempotency-Key was used for a request about other instances")));
        }
        return (record.isOpen() ? close(requestKey, record) : Uni.createFrom().item(record))
                .<PriorRequest>chain(closedRecord -> closedRecord == null
                        ? Uni.createFrom().item(new PriorRequest.Cleared())
                        : isRepetition
                                ? resolveRepetition(requestKey, closedRecord)
                                : resolveOther(requestKey, closedRecord))
                .onFailure(ApiFault.class).recoverWithItem(PriorRequest.Refused::new);
    }

    private static List<UUID> sharedInstances(IdempotencyKey requestKey, RequestRecord record) {
        return requestKey.instances().stream().filter(record.instances()::contains).toList();
    }

    private Uni<PriorRequest> resolveRepetition(IdempotencyKey requestKey, RequestRecord record) {
        return rollback.compareHoldings(record, requestKey.keepsAllocations()).chain(holding -> switch (holding) {
            // Only a record with a response can hold what its response has.
            case AS_IN_RESPONSE ->
                Uni.createFrom().item(new PriorRequest.Answered(Objects.requireNonNull(record.answer())));
            case UNKNOWN -> throw unknownOutcome();
            case NOTHING -> forget(requestKey, record);
            case SOMETHING_ELSE -> resolveOther(requestKey, record);
        });
    }

    /**
     * Handles a record of a different request, or of this request if its instances hold other allocations now. Refuses
     * the new request if an instance of both requests holds allocations; otherwise forgets the record.
     */
    private Uni<PriorRequest> resolveOther(IdempotencyKey requestKey, RequestRecord record) {
        return holdings(sharedInstances(requestKey, record), requestKey.requestId())
                .chain(held -> held.isEmpty()
                        ? forget(requestKey, record)
                        : alreadyPlaced(held).onItem().transform(PriorRequest.Refused::new));
    }

    /**
     * Handles a record whose allocations another client has released. Deletes the record; if it has further instances,
     * only ends its ownership of the instances that the new request has, too. Leaves the record if it is open again, or
     * if it must be deleted for its key but one of its instances has an open move.
     */
    private Uni<PriorRequest> forget(IdempotencyKey requestKey, RequestRecord record) {
        boolean isSame = record.key().equals(requestKey.key());
        Uni<?> forgetting = requestKey.instances().containsAll(record.instances())
                ? store.reopen(record.key(), RequestLeases.LEASE.toSeconds(), isSame)
                        .chain(takenRecord -> takenRecord == null
                                ? Uni.createFrom().voidItem()
                                : store.deleteRolledBack(takenRecord.key(), takenRecord.ownerFirstNumber()))
                : store.endOwnership(sharedInstances(requestKey, record), "");
        return forgetting.replaceWith(new PriorRequest.Cleared());
    }

    /** Returns the fault (409) for a request while another request or replica works on one of its instances. */
    public static ApiFault underWay() {
        return ApiFault.conflictInFlight("a request that places the instance is under way");
    }

    private static ApiFault unknownOutcome() {
        return new ApiFault(
                ErrorCode.PLACEMENT_UNAVAILABLE,
                "the outcome of an earlier request for the instance is unknown; retry later");
    }

    /**
     * Returns the fault (409) for a request one of whose instances holds allocations; null if none does. Fails with
     * ApiFault (503) if placement does not respond.
     */
    public Uni<ApiFault> findPlacedFault(IdempotencyKey requestKey) {
        return holdings(requestKey.instances(), requestKey.requestId()).chain(
                held -> held.isEmpty() ? Uni.createFrom().nullItem() : alreadyPlaced(held));
    }

    /**
     * Returns the allocations of the instances that hold any, by instance uuid. Fails with ApiFault (503) if placement
     * does not respond.
     */
    private Uni<Map<UUID, AllocationsResult.Allocations>> holdings(List<UUID> instances, String requestId) {
        return Multi.createFrom().iterable(instances)
                .onItem().transformToUniAndConcatenate(instance -> placement.getAllocations(instance, requestId)
                        .map(answer -> switch (answer) {
                            case AllocationsResult.Unreachable _ -> throw unknownOutcome();
                            case AllocationsResult.Allocations held -> Map.entry(instance, held);
                        }))
                .select().where(each -> !each.getValue().allocations().isEmpty())
                .collect().in(LinkedHashMap::new, (all, each) -> all.put(each.getKey(), each.getValue()));
    }

    private Uni<ApiFault> alreadyPlaced(Map<UUID, AllocationsResult.Allocations> held) {
        return feed.current().map(registry -> {
            List<String> places = new ArrayList<>();
            held.forEach((instance, holds) -> places.add(
                    "instance " + instance + " holds " + hosts(instance, holds, registry)));
            return new ApiFault(
                    ErrorCode.ALREADY_PLACED,
                    String.join("; ", places)
                            + ", for another request. To claim in addition to these allocations, send"
                            + " keep_allocations");
        });
    }

    private static String hosts(UUID instance, AllocationsResult.Allocations held, RegistrySnapshot registry) {
        List<String> hosts = registry.computeNodesAmong(held.allocations().keySet()).stream()
                .map(ComputeNode::host)
                .toList();
        if (!hosts.isEmpty()) {
            return "host " + String.join(", ", hosts);
        }
        RegisteredInstance registered = registry.findInstance(instance);
        return registered == null
                ? "resource provider " + String.join(", ", held.allocations().keySet())
                : "host " + registered.host();
    }
}
