package io.berth.scheduler.requestrecord;

import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.groupreservation.GroupReservations;
import io.berth.scheduler.groupreservation.SourceReservation;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.text.Uuids;
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
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Makes the claims of requests that place instances, each under its record, and resolves what earlier requests left.
 */
@Singleton
public class RequestRecords {
    private final RequestRecordStore store;
    private final RequestRollback undo;
    private final RecordStarts starts;
    private final Completions confirmations;
    private final RequestLeases leases;
    private final FenceNumbers numbers;
    private final GroupReservations reservations;
    private final ClaimLoop loop;
    private final PlacementClient placement;
    private final RegistryFeed feed;

    RequestRecords(
            RequestRecordStore store,
            RequestRollback undo,
            RecordStarts starts,
            Completions confirmations,
            RequestLeases leases,
            FenceNumbers numbers,
            GroupReservations reservations,
            ClaimLoop loop,
            PlacementClient placement,
            RegistryFeed feed) {
        this.store = store;
        this.undo = undo;
        this.starts = starts;
        this.confirmations = confirmations;
        this.leases = leases;
        this.numbers = numbers;
        this.reservations = reservations;
        this.loop = loop;
        this.placement = placement;
        this.feed = feed;
    }

    /**
     * Claims for one request. Fails with ApiFault: 501 if placement does not support fence numbers; if the request
     * keeps held allocations, 503 if placement does not respond, and 409 while another request places one of the
     * instances.
     */
    public Uni<RecordedClaims> claims(IdempotencyKey asked) {
        Uni<Void> may = requireSettlements(asked.requestId());
        if (!asked.keepsAllocations()) {
            return may.map(berths -> claims(asked, new ClaimWrite.Beside(), Map.of(), Map.of()));
        }
        return may.chain(() -> leave(asked))
                .chain(() -> holdings(asked.instances(), asked.requestId()))
                .chain(held -> feed.current().map(
                        registry -> claims(asked, new ClaimWrite.Beside(), held, left(held, registry))));
    }

    /**
     * Makes the claims for one instance whose allocations are replaced.
     *
     * @param replaced the allocations it holds, as read
     */
    public RecordedClaims claimsInstead(IdempotencyKey asked, AllocationsAnswer.Held replaced) {
        return claims(asked, new ClaimWrite.Instead(), Map.of(asked.instances().getFirst(), replaced), Map.of());
    }

    private RecordedClaims claims(
            IdempotencyKey asked, ClaimWrite write, Map<UUID, AllocationsAnswer.Held> held, Map<UUID, SourceReservation> left) {
        return new RecordedClaims(
                loop, undo, store, starts, confirmations, leases, numbers, reservations, asked, write, held, left);
    }

    /**
     * Fails with ApiFault (501) if the Placement is not Berth's, as it cannot settle claims: then nothing can be
     * claimed or moved.
     */
    public Uni<Void> requireSettlements(String requestId) {
        return placement.hasSettlements(requestId).invoke(has -> {
            if (!has) {
                throw new ApiFault(
                        ErrorCode.NEEDS_BERTH_PLACEMENT,
                        "the Placement at berth.placement-url is not Berth's, so hosts cannot be claimed and instances cannot"
                                + " be moved; dry runs, simulations, explanations and the shadow of a nova-scheduler work");
            }
        }).replaceWithVoid();
    }

    /**
     * Returns the source reservations of instances that hold allocations, at their registered hosts. Each counts
     * until the instance holds nothing there.
     */
    private static Map<UUID, SourceReservation> left(Map<UUID, AllocationsAnswer.Held> held, RegistrySnapshot registry) {
        Map<UUID, SourceReservation> left = new HashMap<>();
        held.forEach((instance, holds) -> {
            RegisteredInstance registered = registry.findInstance(instance);
            if (registered != null) {
                Set<String> nodes = registry.computeNodesOf(registered.host()).stream()
                        .map(node -> node.uuid().toString())
                        .filter(holds.allocations()::containsKey)
                        .collect(Collectors.toSet());
                left.put(instance, new SourceReservation(
                        registered.host(), instance, nodes.isEmpty() ? holds.allocations().keySet() : nodes));
            }
        });
        return left;
    }

    /**
     * Makes this request the owner of its instances: ends the ownership of earlier placed records, and finishes those
     * left open. Fails with ApiFault: 409 while one is in flight; 503 if placement does not respond.
     */
    public Uni<Void> leave(IdempotencyKey asked) {
        return store.leave(asked.instances(), asked.key()).chain(open -> open.isEmpty()
                ? Uni.createFrom().voidItem()
                : Multi.createFrom().iterable(open)
                        .onItem().transformToUniAndConcatenate(instance -> settle(instance, asked.requestId()))
                        .onItem().ignoreAsUni()
                        .chain(() -> store.leave(asked.instances(), asked.key()))
                        .invoke(still -> {
                            if (!still.isEmpty()) {
                                throw underWay();
                            }
                        })
                        .replaceWithVoid());
    }

    /**
     * Finishes the open records of an instance. Fails with ApiFault: 409 while one is in flight, 503 if placement
     * does not respond.
     */
    public Uni<Void> settle(UUID instance, String requestId) {
        IdempotencyKey asked = IdempotencyKey.ofInstance(instance, requestId);
        return store.find(asked).chain(records -> Multi.createFrom().iterable(records)
                .select().where(RequestRecord::isOpen)
                .onItem().transformToUniAndConcatenate(boot -> closed(asked, boot))
                .invoke(closed -> {
                    if (closed instanceof Closed.Refused(ApiFault fault)) {
                        throw fault;
                    }
                })
                .onItem().ignoreAsUni());
    }

    /** The result of closing an open record. */
    private sealed interface Closed {
        record Placed(RequestRecord boot) implements Closed {}

        record Undone() implements Closed {}

        record Refused(ApiFault fault) implements Closed {}
    }

    private Uni<Closed> closed(IdempotencyKey asked, RequestRecord boot) {
        return boot.isWorkedOn()
                ? isPlaced(boot)
                        .chain(placed -> placed ? store.seenAsPlanned(boot) : Uni.createFrom().item(false))
                        .chain(seen -> seen ? Uni.createFrom().item(new Closed.Placed(boot)) : closedMeanwhile(asked, boot))
                : store.take(boot.key(), RequestLeases.LEASE.toSeconds()).chain(taken -> taken == null
                        ? closedMeanwhile(asked, boot)
                        : undo.finish(taken).map(outcome -> switch (outcome) {
                            case PLACED -> new Closed.Placed(taken);
                            case UNDONE -> new Closed.Undone();
                            case NOT_NOW -> new Closed.Refused(away());
                        }));
    }

    /** Reads the record again, since its owner may have closed it meanwhile. */
    private Uni<Closed> closedMeanwhile(IdempotencyKey asked, RequestRecord boot) {
        return store.find(asked).map(records -> records.stream()
                .filter(each -> each.key().equals(boot.key()))
                .findFirst()
                .map(each -> each.isOpen() ? new Closed.Refused(underWay()) : new Closed.Placed(each))
                .orElseGet(Closed.Undone::new));
    }

    /**
     * Returns whether the planned claim is accepted although the record is still open: its owner closes it only after
     * the response.
     */
    private Uni<Boolean> isPlaced(RequestRecord boot) {
        return boot.answer() == null
                ? Uni.createFrom().item(false)
                : undo.holds(boot, true).chain(holding -> holding == RequestRollback.Holding.AS_ANSWERED
                        ? Uni.createFrom().item(true)
                        : undo.wasClaimed(boot));
    }

    /** Deletes the record of a deletion that failed: placement released nothing, and never will for it. Never fails. */
    public Uni<Void> deletionFailed(String key, long number) {
        return store.takenBack(key, number)
                // If that fails, the lease expires and any replica finishes the record.
                .onFailure().recoverWithNull();
    }

    /**
     * Ends the ownership of a deletion of which a step had no response, so that any replica finishes it. Never fails.
     */
    public Uni<Void> deletionUnanswered(String key, String requestId) {
        return OpenWork.afterLoss(store.postpone(key, null, requestId, 1))
                // If that fails, the lease expires.
                .onFailure().recoverWithNull();
    }

    /**
     * Rolls back a request whose client did not take the response. If placement does not respond, the record is left
     * open and any replica finishes it.
     *
     * @return false if that is impossible now because another request works on it
     */
    public Uni<Boolean> retract(IdempotencyKey asked) {
        return store.find(asked).chain(records -> records.stream()
                .filter(boot -> boot.key().equals(asked.key()))
                .findFirst()
                .map(boot -> store.reopen(boot.key(), RequestLeases.LEASE.toSeconds(), true).chain(taken -> taken == null
                        ? Uni.createFrom().item(false)
                        : undo.finish(taken).replaceWith(true)))
                .orElseGet(() -> Uni.createFrom().item(true)));
    }

    /** Counts a failed build on a host. The weigher counts it until the node's next report. */
    public Uni<Void> buildFailed(String host, @Nullable String nodename) {
        return store.buildFailed(host, nodename);
    }

    /**
     * Returns what the records of earlier requests for the same instances mean for this one. Finishes records that
     * were left open, if possible.
     */
    public Uni<PriorRequest> known(IdempotencyKey asked) {
        return store.find(asked).chain(records -> Multi.createFrom().iterable(records)
                .onItem().transformToUniAndConcatenate(boot -> known(asked, boot))
                .collect().asList()
                .map(all -> all.stream().max(Comparator.comparingInt(RequestRecords::rank)).orElse(new PriorRequest.Nothing())));
    }

    /** Returns the stored response to this same request if it is placed and its allocations are held; else null. */
    public Uni<String> answerOf(IdempotencyKey asked) {
        return store.find(asked).chain(records -> records.stream()
                .filter(boot -> boot.key().equals(asked.key()) && !boot.isOpen() && boot.answer() != null)
                .findFirst()
                .map(boot -> undo.holds(boot, asked.keepsAllocations())
                        .map(holding -> holding == RequestRollback.Holding.AS_ANSWERED ? boot.answer() : null))
                .orElseGet(() -> Uni.createFrom().nullItem()));
    }

    private static int rank(PriorRequest known) {
        return switch (known) {
            case PriorRequest.Nothing _ -> 0;
            case PriorRequest.Cleared _ -> 1;
            case PriorRequest.Answered _ -> 2;
            case PriorRequest.Refused _ -> 3;
        };
    }

    private Uni<PriorRequest> known(IdempotencyKey asked, RequestRecord boot) {
        boolean same = boot.fingerprint().equals(asked.fingerprint()) && boot.instances().equals(asked.instances());
        // The record keeps the instances that are not in this request, so the key cannot be used again.
        if (boot.key().equals(asked.key()) && !asked.instances().containsAll(boot.instances())) {
            return refused(new ApiFault(
                    ErrorCode.CONFLICT, "the Idempotency-Key was used for a request about other instances"));
        }
        return boot.isOpen()
                ? closed(asked, boot).chain(closed -> switch (closed) {
                    case Closed.Placed(RequestRecord placed) -> same ? repeated(asked, placed) : another(asked, placed);
                    case Closed.Undone _ -> Uni.createFrom().item(new PriorRequest.Cleared());
                    case Closed.Refused(ApiFault fault) -> refused(fault);
                })
                : same ? repeated(asked, boot) : another(asked, boot);
    }

    private static List<UUID> shared(IdempotencyKey asked, RequestRecord boot) {
        return asked.instances().stream().filter(boot.instances()::contains).toList();
    }

    private Uni<PriorRequest> repeated(IdempotencyKey asked, RequestRecord boot) {
        return undo.holds(boot, asked.keepsAllocations()).chain(holding -> switch (holding) {
            case AS_ANSWERED -> Uni.createFrom().item(new PriorRequest.Answered(boot.answer()));
            case NOT_KNOWN -> refused(away());
            case NOTHING -> forgotten(asked, boot);
            case SOMETHING_ELSE -> another(asked, boot);
        });
    }

    /**
     * Handles instances that were placed for another request or moved since: placement decides whether they still
     * hold anything.
     */
    private Uni<PriorRequest> another(IdempotencyKey asked, RequestRecord boot) {
        return holdings(shared(asked, boot), asked.requestId())
                .chain(held -> held.isEmpty()
                        ? forgotten(asked, boot)
                        : alreadyPlaced(held).onItem().transform(PriorRequest.Refused::new))
                .onFailure(ApiFault.class).recoverWithItem(PriorRequest.Refused::new);
    }

    /** Deletes the record, or gives its instances up, since another client has released their allocations. */
    private Uni<PriorRequest> forgotten(IdempotencyKey asked, RequestRecord boot) {
        boolean isSame = boot.key().equals(asked.key());
        Uni<?> forgetting = asked.instances().containsAll(boot.instances())
                ? store.reopen(boot.key(), RequestLeases.LEASE.toSeconds(), isSame).chain(taken -> taken == null
                        ? Uni.createFrom().voidItem()
                        : store.takenBack(taken.key(), taken.number()))
                : store.leave(shared(asked, boot), "");
        return forgetting.replaceWith(new PriorRequest.Cleared());
    }

    private static Uni<PriorRequest> refused(ApiFault fault) {
        return Uni.createFrom().item(new PriorRequest.Refused(fault));
    }

    public static ApiFault underWay() {
        return ApiFault.underWay("a request that places the instance is under way");
    }

    private static ApiFault away() {
        return ApiFault.placementAway("what an earlier request of the instance did is not known");
    }

    /** Returns null if none of the instances holds anything. Fails with ApiFault if placement does not respond. */
    public Uni<ApiFault> findPlaced(IdempotencyKey asked) {
        return holdings(asked.instances(), asked.requestId()).chain(
                held -> held.isEmpty() ? Uni.createFrom().nullItem() : alreadyPlaced(held));
    }

    /**
     * Returns the allocations of those instances that hold any. Fails with ApiFault (503) if placement does not
     * respond.
     */
    private Uni<Map<UUID, AllocationsAnswer.Held>> holdings(List<UUID> instances, String requestId) {
        return Multi.createFrom().iterable(instances)
                .onItem().transformToUniAndConcatenate(instance -> placement.getAllocations(instance, requestId)
                        .map(answer -> switch (answer) {
                            case AllocationsAnswer.Unreachable _ -> throw away();
                            case AllocationsAnswer.Held held -> Map.entry(instance, held);
                        }))
                .select().where(each -> !each.getValue().allocations().isEmpty())
                .collect().in(LinkedHashMap::new, (all, each) -> all.put(each.getKey(), each.getValue()));
    }

    private Uni<ApiFault> alreadyPlaced(Map<UUID, AllocationsAnswer.Held> held) {
        return feed.current().map(registry -> {
            List<String> places = new ArrayList<>();
            held.forEach((instance, holds) -> places.add(
                    "instance " + instance + " holds " + hosts(instance, holds, registry)));
            return new ApiFault(
                    ErrorCode.ALREADY_PLACED,
                    String.join("; ", places) + ", for another request. To claim beside that, send keep_allocations");
        });
    }

    private static String hosts(UUID instance, AllocationsAnswer.Held held, RegistrySnapshot registry) {
        List<String> hosts = held.allocations().keySet().stream()
                .map(Uuids::find)
                .filter(uuid -> uuid != null && registry.findComputeNode(uuid) != null)
                .map(uuid -> registry.findComputeNode(uuid).host())
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
