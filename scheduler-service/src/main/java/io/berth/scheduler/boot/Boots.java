package io.berth.scheduler.boot;

import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.claim.Releases;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.seat.SeatLeft;
import io.berth.scheduler.seat.Seats;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Requests that place instances, each under its record; and what the records of earlier ones say. */
@Singleton
public class Boots {
    private static final Supplier<Uni<ApiFault>> NOWHERE = () -> Uni.createFrom().nullItem();

    private final BootStore store;
    private final BootUndo undo;
    private final Starts starts;
    private final Confirmations confirmations;
    private final Leases leases;
    private final Seats seats;
    private final ClaimLoop loop;
    private final Releases releases;
    private final PlacementClient placement;
    private final RegistryFeed feed;

    Boots(
            BootStore store,
            BootUndo undo,
            Starts starts,
            Confirmations confirmations,
            Leases leases,
            Seats seats,
            ClaimLoop loop,
            Releases releases,
            PlacementClient placement,
            RegistryFeed feed) {
        this.store = store;
        this.undo = undo;
        this.starts = starts;
        this.confirmations = confirmations;
        this.leases = leases;
        this.seats = seats;
        this.loop = loop;
        this.releases = releases;
        this.placement = placement;
        this.feed = feed;
    }

    /**
     * Claims for one request. Fails with ApiFault where it is to keep what is held: 503 if placement does not say what,
     * 409 while another request places one of the instances.
     *
     * @param token of its own record, if that was taken over for it; else null
     */
    public Uni<BootClaims> claims(Asked asked, @Nullable UUID token) {
        if (!asked.keepsAllocations()) {
            return Uni.createFrom().item(
                    claims(asked, token, new ClaimWrite.Beside(), Map.of(), Map.of(), () -> placedBefore(asked)));
        }
        return leave(asked)
                .chain(() -> holdings(asked.instances(), asked.requestId()))
                .chain(held -> feed.current().map(registry -> claims(
                        asked, token, new ClaimWrite.Beside(), held, left(held, registry), NOWHERE)));
    }

    /**
     * For one instance whose allocations a claim replaces.
     *
     * @param replaced what it holds, as read
     */
    public BootClaims claimsInstead(Asked asked, @Nullable UUID token, AllocationsAnswer.Held replaced) {
        return claims(asked, token, new ClaimWrite.Instead(), Map.of(asked.instances().getFirst(), replaced), Map.of(), NOWHERE);
    }

    private BootClaims claims(
            Asked asked,
            @Nullable UUID token,
            ClaimWrite write,
            Map<UUID, AllocationsAnswer.Held> held,
            Map<UUID, SeatLeft> left,
            Supplier<Uni<ApiFault>> placedBefore) {
        return new BootClaims(
                loop, releases, store, starts, confirmations, leases, seats, asked,
                token == null ? UUID.randomUUID() : token, token != null, write, held, left, placedBefore);
    }

    /**
     * As {@link #findPlaced}, where one of the instances was registered, or may have been. If a claim has no answer then, what
     * an instance holds is told from it by its size alone.
     */
    private Uni<ApiFault> placedBefore(Asked asked) {
        RegistrySnapshot registry = feed.last();
        return registry != null && asked.instances().stream().allMatch(each -> registry.findInstance(each) == null)
                ? Uni.createFrom().nullItem()
                : findPlaced(asked);
    }

    /** Where those are registered that hold something: until they hold nothing there. */
    private static Map<UUID, SeatLeft> left(Map<UUID, AllocationsAnswer.Held> held, RegistrySnapshot registry) {
        Map<UUID, SeatLeft> left = new HashMap<>();
        held.forEach((instance, holds) -> {
            RegisteredInstance registered = registry.findInstance(instance);
            if (registered != null) {
                Set<String> nodes = registry.computeNodesOf(registered.host()).stream()
                        .map(node -> node.uuid().toString())
                        .filter(holds.allocations()::containsKey)
                        .collect(Collectors.toSet());
                left.put(instance, new SeatLeft(
                        registered.host(), instance, nodes.isEmpty() ? holds.allocations().keySet() : nodes));
            }
        });
        return left;
    }

    /**
     * The request's instances go on with it: what earlier ones say of them is over, and what those left open is finished or
     * taken back. Fails with ApiFault: 409 while one is under way, as its claim may still commit; 503 where placement does
     * not say what came of it.
     */
    public Uni<Void> leave(Asked asked) {
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
     * What requests about the instance left open is finished or taken back. Fails with ApiFault: 409 while one is under
     * way, 503 where placement does not say what came of it.
     */
    public Uni<Void> settle(UUID instance, String requestId) {
        return store.find(Asked.ofInstance(instance, requestId)).chain(boots -> Multi.createFrom().iterable(boots)
                .select().where(Boot::isOpen)
                .onItem().transformToUniAndConcatenate(this::settle)
                .collect().asList()
                .chain(settled -> settled.contains(false)
                        ? settle(instance, requestId)
                        : Uni.createFrom().voidItem()));
    }

    /** False if somebody else did something about it meanwhile. */
    private Uni<Boolean> settle(Boot boot) {
        if (boot.isReleasing()) {
            throw underWay();
        }
        Uni<BootUndo.Holding> holding = boot.answer() == null
                ? Uni.createFrom().item(BootUndo.Holding.SOMETHING_ELSE)
                : undo.holds(boot, true);
        return holding.chain(holds -> switch (holds) {
            case AS_ANSWERED -> store.seenAsPlanned(boot);
            case NOT_KNOWN -> throw away();
            case NOTHING, SOMETHING_ELSE -> open(boot, false)
                    .invoke(known -> {
                        if (known instanceof Known.Refused(ApiFault fault)) {
                            throw fault;
                        }
                    })
                    .replaceWith(true);
        });
    }

    /**
     * A deletion of an instance has come to nothing, and whoever is next may have the word. Never fails.
     *
     * @param key of its record
     * @param inDoubt whether its release may still commit: then that is waited for
     */
    public Uni<Void> deletionFailed(String key, UUID token, boolean inDoubt) {
        double doubtSeconds = Leases.doubtSeconds(inDoubt);
        return store.takenBack(key, token, doubtSeconds, doubtSeconds)
                .replaceWithVoid()
                // Then its lease ends it.
                .onFailure().recoverWithNull();
    }

    private Uni<Void> giveBack(Asked asked, Known known) {
        return giveBack(asked, known instanceof Known.Cleared(UUID token) ? token : null);
    }

    /**
     * Of a record under which nothing was claimed since it was taken over. Never fails.
     *
     * @param token null where none was
     */
    public Uni<Void> giveBack(Asked asked, @Nullable UUID token) {
        return token == null
                ? Uni.createFrom().voidItem()
                : store.postpone(asked.key(), token, 0, 1, true, Releases.Outcome.DONE)
                        // Then its lease ends it.
                        .onFailure().recoverWithNull();
    }

    /**
     * Nobody took the request's answer: what its instances hold of it goes, beside what they held before. A release that had
     * no answer leaves the record open, and then any replica finishes it.
     *
     * @return false if that is not to be had now: somebody works on it, or placement cannot be asked
     */
    public Uni<Boolean> retract(Asked asked) {
        return store.find(asked).chain(boots -> boots.stream()
                .filter(boot -> boot.key().equals(asked.key()))
                .findFirst()
                .map(this::retract)
                .orElseGet(() -> Uni.createFrom().item(true)));
    }

    private Uni<Boolean> retract(Boot boot) {
        return store.reopen(boot.key(), Leases.LEASE.toSeconds(), true, true).chain(taken -> taken == null
                ? Uni.createFrom().item(false)
                : undo.takeBackAsAnswered(taken, boot.answer()).chain(came -> switch (came) {
                    case DONE -> store.takenBack(taken.key(), taken.token(), 0, 0).replaceWith(true);
                    case AGAIN -> store.placed(taken.key(), taken.token(), boot.answer(), List.of(), List.of(), false, 0)
                            .replaceWith(false);
                    case UNHEARD -> undo.later(taken, came).replaceWith(true);
                }));
    }

    /** A build failed there: the weigher counts it until the node's next report says otherwise. */
    public Uni<Void> buildFailed(String host, @Nullable String nodename) {
        return store.buildFailed(host, nodename);
    }

    /** What is recorded of earlier requests about the same instances; what they left open is taken back, if it can be. */
    public Uni<Known> known(Asked asked) {
        return store.find(asked).chain(boots -> Multi.createFrom().iterable(boots)
                .onItem().transformToUniAndConcatenate(boot -> known(asked, boot))
                .collect().asList()
                .chain(all -> {
                    Known strongest = strongest(all);
                    return Multi.createFrom().iterable(all)
                            .select().where(each -> each != strongest)
                            .onItem().transformToUniAndConcatenate(each -> giveBack(asked, each))
                            .onItem().ignoreAsUni()
                            .replaceWith(strongest);
                }));
    }

    /** What the very request is answered, where its record says that it is placed; else null. */
    public Uni<String> answerOf(Asked asked) {
        return store.find(asked).chain(boots -> boots.stream()
                .filter(boot -> boot.key().equals(asked.key()) && !boot.isOpen() && boot.answer() != null)
                .findFirst()
                .map(boot -> undo.holds(boot, asked.keepsAllocations())
                        .map(holding -> holding == BootUndo.Holding.AS_ANSWERED ? boot.answer() : null))
                .orElseGet(() -> Uni.createFrom().nullItem()));
    }

    /** A refusal counts, then an answer; an own record that was taken over is kept in mind. */
    private static Known strongest(List<Known> all) {
        Known strongest = new Known.Nothing();
        for (Known each : all) {
            if (rank(each) > rank(strongest)) {
                strongest = each;
            }
        }
        return strongest;
    }

    private static int rank(Known known) {
        return switch (known) {
            case Known.Nothing _ -> 0;
            case Known.Cleared cleared -> cleared.token() == null ? 1 : 2;
            case Known.Answered _ -> 3;
            case Known.Refused _ -> 4;
        };
    }

    private Uni<Known> known(Asked asked, Boot boot) {
        boolean same = boot.shape().equals(asked.shape()) && boot.instances().equals(asked.instances());
        // Its record stays the word for those that do not go on with this one.
        if (boot.key().equals(asked.key()) && !asked.instances().containsAll(boot.instances())) {
            return refused(new ApiFault(
                    ErrorCode.CONFLICT, "the Idempotency-Key was used for a request about other instances"));
        }
        boolean ofSameRecord = same && boot.key().equals(asked.key());
        if (!boot.isOpen()) {
            return same ? repeated(asked, boot) : another(asked, boot);
        }
        if (!same || boot.answer() == null) {
            return open(boot, ofSameRecord);
        }
        return undo.holds(boot, asked.keepsAllocations()).chain(holding -> switch (holding) {
            case AS_ANSWERED -> store.seenAsPlanned(boot).chain(seen -> seen
                    ? Uni.createFrom().item(new Known.Answered(boot.answer()))
                    // Somebody else did something about it meanwhile.
                    : knownNow(asked, boot.key()));
            case NOT_KNOWN -> refused(away());
            case NOTHING, SOMETHING_ELSE -> open(boot, ofSameRecord);
        });
    }

    private Uni<Known> knownNow(Asked asked, String key) {
        return store.find(asked).chain(boots -> boots.stream()
                .filter(boot -> boot.key().equals(key))
                .findFirst()
                // Who has it in hand, or had, has perhaps released what is planned.
                .map(boot -> boot.isWorkedOn() || boot.isReleasing() ? refused(underWay()) : known(asked, boot))
                .orElseGet(() -> Uni.createFrom().item(new Known.Nothing())));
    }

    private static List<UUID> shared(Asked asked, Boot boot) {
        return asked.instances().stream().filter(boot.instances()::contains).toList();
    }

    private Uni<Known> repeated(Asked asked, Boot boot) {
        return undo.holds(boot, asked.keepsAllocations()).chain(holding -> switch (holding) {
            case AS_ANSWERED -> Uni.createFrom().item(new Known.Answered(boot.answer()));
            case NOT_KNOWN -> refused(away());
            case NOTHING -> forgotten(asked, boot);
            case SOMETHING_ELSE -> another(asked, boot);
        });
    }

    /** Placed for another request, or moved since: whether they still hold anything is placement's to say. */
    private Uni<Known> another(Asked asked, Boot boot) {
        return holdings(shared(asked, boot), asked.requestId())
                .chain(held -> held.isEmpty()
                        ? forgotten(asked, boot)
                        : alreadyPlaced(held).onItem().transform(Known.Refused::new))
                .onFailure(ApiFault.class).recoverWithItem(Known.Refused::new);
    }

    /** Somebody else has given the allocations up. */
    private Uni<Known> forgotten(Asked asked, Boot boot) {
        Known cleared = new Known.Cleared(null);
        if (boot.inDoubt()) {
            // It stays closed: what its instances hold meanwhile may be anybody's.
            return refused(underWay());
        }
        boolean isSame = boot.key().equals(asked.key());
        if (!asked.instances().containsAll(boot.instances())) {
            return store.leave(shared(asked, boot), "").replaceWith(cleared);
        }
        return store.reopen(boot.key(), Leases.LEASE.toSeconds(), isSame, false)
                .chain(taken -> taken == null
                        ? Uni.createFrom().item(cleared)
                        : store.takenBack(taken.key(), taken.token(), 0, 0)
                                .map(stays -> stays ? new Known.Refused(underWay()) : cleared));
    }

    /** @param sameRecord whether it is the record of the very request that asks */
    private Uni<Known> open(Boot boot, boolean sameRecord) {
        if (boot.isWorkedOn()) {
            return refused(underWay());
        }
        return store.take(boot.key(), Leases.LEASE.toSeconds(), Leases.CLAIM_MAY_COMMIT.toSeconds())
                .chain(taken -> {
                    if (taken == null) {
                        return refused(underWay());
                    }
                    return sameRecord && taken.inDoubt() && !taken.isReleasing() ? takenOver(taken) : undone(taken);
                });
    }

    /** A claim of before may still commit: then it is one of this very request, and the record stays open for it. */
    private Uni<Known> takenOver(Boot boot) {
        return undo.takeBack(boot).chain(came -> came == Releases.Outcome.DONE
                ? store.released(boot.token()).replaceWith(new Known.Cleared(boot.token()))
                : undo.later(boot, came).chain(() -> refused(away())));
    }

    private Uni<Known> undone(Boot boot) {
        return undo.undo(boot).chain(outcome -> switch (outcome) {
            case DONE -> Uni.createFrom().item(new Known.Cleared(null));
            case IN_DOUBT -> refused(underWay());
            case NOT_NOW -> refused(away());
        });
    }

    private static Uni<Known> refused(ApiFault fault) {
        return Uni.createFrom().item(new Known.Refused(fault));
    }

    public static ApiFault underWay() {
        return ApiFault.underWay("a request that places the instance is under way");
    }

    private static ApiFault away() {
        return ApiFault.placementAway("what an earlier request of the instance did is not known");
    }

    /** Null if none of the instances holds anything. Fails with ApiFault where placement does not say. */
    public Uni<ApiFault> findPlaced(Asked asked) {
        return holdings(asked.instances(), asked.requestId()).chain(
                held -> held.isEmpty() ? Uni.createFrom().nullItem() : alreadyPlaced(held));
    }

    /** What the instances hold that hold anything. Fails with ApiFault (503) where placement does not say. */
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
