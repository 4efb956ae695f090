package io.berth.scheduler.departure;

import io.berth.identity.StartRefusal;
import io.berth.scheduler.departure.DepartureStore.Compared;
import io.berth.scheduler.departure.DepartureStore.Due;
import io.berth.scheduler.departure.DepartureStore.Turn;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.lease.OpenRecords;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ReleasedAnswer;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Ends the registrations of instances that hold nothing in placement any more, whoever gave their allocations up.
 *
 * <p>Every second one replica asks placement which consumers gave up all they held since it asked last, and looks at a
 * page of all registered instances for what that did not tell: placement was another's, or the scheduler was away.
 * Whatever it finds is written down, read from placement once more, and ended by any replica, unless a boot or a move of
 * the instance is open. Of the page only instances that were placed by Berth, or seen to hold something before, are
 * ended: one that somebody registered without a claim stays. One that is found to hold something again, as another client moved
 * it, is registered again where it is, with its server group.
 *
 * <p>Options: {@code berth.instances-compared-per-second}, 0 to 10,000, default 50; 0: what placement tells, alone.
 * {@code berth.instances-compared-rest}, default 30 s, between two rounds over all registered instances.
 */
@Singleton
public class Departures implements OpenRecords {
    private static final Logger LOG = Logger.getLogger(Departures.class);
    private static final double TURN_SECONDS = 0.9;
    /** What a turn may take: a replica that dies in it keeps the others waiting for so long. */
    private static final double LEASE_SECONDS = 15;
    private static final int PER_SECOND_MAX = 10_000;
    private static final int TOGETHER_MAX = 100;
    /**
     * Noted in one statement. Of the 50,000 that placement may tell at once a busy database makes more than a statement may
     * take, and with the next attempt it would be told even more.
     */
    private static final int SUSPECTED_TOGETHER_MAX = 1_000;
    /** One whose boot or move is open, or that placement said nothing of, is looked at again. */
    private static final double AGAIN_SECONDS = 5;
    private static final Duration NOT_KEPT_FOR = Duration.ofMinutes(1);
    /** For the questions of a page; what was not answered then is asked in the next round. */
    private static final Duration PAGE_MAX = Duration.ofSeconds(10);
    /** As long as it may be unshelved with nothing said of where it was. */
    private static final Duration KEEP = Duration.ofDays(30);

    private final DepartureStore store;
    private final PlacementClient placement;
    private final RegistryFeed feed;
    private final int perSecond;
    private final Duration rest;
    /** Null: as far as known, placement tells. */
    private volatile @Nullable Long notKeptSince;
    /** Null: in the middle of a round. */
    private volatile @Nullable Long restsSince;

    /**
     * @param perSecond how many registered instances are compared with placement in a second, at most 10,000; 0: none
     * @param rest pause after all were compared
     */
    Departures(
            DepartureStore store,
            PlacementClient placement,
            RegistryFeed feed,
            @ConfigProperty(name = "berth.instances-compared-per-second", defaultValue = "50") int perSecond,
            @ConfigProperty(name = "berth.instances-compared-rest", defaultValue = "30S") Duration rest) {
        this.store = store;
        this.placement = placement;
        this.feed = feed;
        this.perSecond = perSecond;
        this.rest = rest;
        if (perSecond < 0 || perSecond > PER_SECOND_MAX) {
            throw StartRefusal.because(
                    "berth.instances-compared-per-second must be from 0 to " + PER_SECOND_MAX + ": " + perSecond);
        }
    }

    @Override
    public String name() {
        return "departures";
    }

    @Override
    public Uni<Boolean> workOnOne() {
        String requestId = "req-" + UUID.randomUUID();
        return store.turn(LEASE_SECONDS)
                .chain(turn -> turn == null ? Uni.createFrom().voidItem() : compare(turn, requestId))
                .chain(() -> store.takeToLookAt(PlacementClient.HOLDING_ASKED_MAX))
                .chain(instances -> ifAny(instances, some -> registerAgain(some, requestId)))
                .chain(() -> store.takeDue(AGAIN_SECONDS, TOGETHER_MAX))
                .chain(due -> end(due, requestId).replaceWith(due.size() == TOGETHER_MAX));
    }

    /** Those that hold something after all: another client moved them, and they held nothing in between. */
    private Uni<Void> registerAgain(List<UUID> unregistered, String requestId) {
        return placement.holding(unregistered, requestId)
                .map(held -> unregistered.stream().filter(each -> held.getOrDefault(each, false)).toList())
                .chain(holding -> ifAny(holding, some -> feed.current().chain(registry -> Multi.createFrom().iterable(some)
                        .onItem().transformToUniAndConcatenate(instance -> placement.getAllocations(instance, requestId)
                                .map(answer -> Map.entry(instance, places(answer, registry))))
                        .select().where(each -> !each.getValue().isEmpty())
                        .collect().asMap(Map.Entry::getKey, each -> each.getValue().getFirst())
                        .chain(places -> ifAny(List.copyOf(places.keySet()), any -> store.registerAgain(places)
                                .invoke(again -> LOG.infof("instances hold allocations again and are registered=%s", again))
                                .replaceWithVoid())))));
    }

    /** The compute nodes that an instance holds something of. */
    private static List<Place> places(AllocationsAnswer answer, RegistrySnapshot registry) {
        return answer instanceof AllocationsAnswer.Held held
                ? held.allocations().keySet().stream()
                        .map(Uuids::find)
                        .filter(uuid -> uuid != null && registry.findComputeNode(uuid) != null)
                        .map(registry::findComputeNode)
                        .map(node -> new Place(node.host(), node.nodename()))
                        .toList()
                : List.of();
    }

    @Override
    public Uni<Integer> prune() {
        return store.prune(KEEP.toSeconds(), PRUNED_TOGETHER_MAX);
    }

    /** Returns null if its registration is there, was deleted, or ended long ago. */
    public Uni<Place> lastPlace(UUID instance) {
        return store.lastPlace(instance);
    }

    /**
     * Returns null if it was in none, or its registration is there, was deleted, or ended long ago. The policy is that of requests,
     * null for a group that was registered.
     */
    public Uni<ServerGroup> lastGroup(UUID instance) {
        return store.lastGroup(instance);
    }

    private Uni<Void> compare(Turn turn, String requestId) {
        return released(turn, requestId).chain(answer -> {
            ReleasedAnswer.Told told = answer instanceof ReleasedAnswer.Told is ? is : null;
            return page(turn, requestId).chain(page -> {
                List<UUID> suspects = new ArrayList<>(page.suspects());
                if (told != null) {
                    suspects.addAll(told.consumers());
                }
                return suspected(turn, suspects).chain(last -> store.ended(
                        turn, last, page.holding(), told == null ? null : told.until(), page.until(), TURN_SECONDS));
            });
        });
    }

    /** All but the last of them, which end the turn. */
    private Uni<List<UUID>> suspected(Turn turn, List<UUID> suspects) {
        int first = suspects.size() - suspects.size() % SUSPECTED_TOGETHER_MAX;
        return Multi.createFrom().iterable(suspects.subList(0, first))
                .group().intoLists().of(SUSPECTED_TOGETHER_MAX)
                .onItem().transformToUniAndConcatenate(some -> store.suspected(turn, some, LEASE_SECONDS))
                .onItem().ignoreAsUni()
                .replaceWith(suspects.subList(first, suspects.size()));
    }

    private Uni<ReleasedAnswer> released(Turn turn, String requestId) {
        if (isWithin(notKeptSince, NOT_KEPT_FOR)) {
            return Uni.createFrom().item(new ReleasedAnswer.NotKept());
        }
        return placement.releasedSince(turn.releasedUntil(), requestId).invoke(
                answer -> notKeptSince = answer instanceof ReleasedAnswer.NotKept ? (Long) System.nanoTime() : null);
    }

    /**
     * A part of all registered instances, compared.
     *
     * @param suspects hold nothing, though they did
     * @param holding were not known to hold anything
     * @param until the last of them
     */
    private record Page(List<UUID> suspects, List<UUID> holding, UUID until) {}

    private Uni<Page> page(Turn turn, String requestId) {
        if (perSecond == 0 || isWithin(restsSince, rest)) {
            return Uni.createFrom().item(new Page(List.of(), List.of(), turn.comparedUntil()));
        }
        return store.page(turn.comparedUntil(), perSecond)
                .chain(page -> held(page.stream().map(Compared::instance).toList(), requestId)
                        .ifNoItem().after(PAGE_MAX).recoverWithItem(Map.of())
                        .map(held -> compared(page, held)));
    }

    private Page compared(List<Compared> page, Map<UUID, Boolean> held) {
        List<UUID> suspects = new ArrayList<>();
        List<UUID> holding = new ArrayList<>();
        for (Compared each : page) {
            Boolean holds = held.get(each.instance());
            if (holds != null && holds == each.declared()) {
                (holds ? holding : suspects).add(each.instance());
            }
        }
        boolean isLast = page.size() < perSecond;
        restsSince = isLast ? (Long) System.nanoTime() : null;
        return new Page(suspects, holding, isLast ? new UUID(0, 0) : page.getLast().instance());
    }

    private static boolean isWithin(@Nullable Long since, Duration time) {
        return since != null && System.nanoTime() - since < time.toNanos();
    }

    /** Returns whether each holds something; without those that placement says nothing of. */
    private Uni<Map<UUID, Boolean>> held(List<UUID> instances, String requestId) {
        return Multi.createFrom().iterable(instances)
                .group().intoLists().of(PlacementClient.HOLDING_ASKED_MAX)
                .onItem().transformToUniAndConcatenate(some -> placement.holding(some, requestId))
                .collect().in(HashMap::new, Map::putAll);
    }

    private Uni<Void> end(List<Due> due, String requestId) {
        List<UUID> registered = due.stream().filter(each -> each.version() != null).map(Due::instance).toList();
        return held(registered, requestId).chain(held -> {
            List<UUID> staying = due.stream()
                    .filter(each -> each.version() == null || held.getOrDefault(each.instance(), false))
                    .map(Due::instance)
                    .toList();
            List<Due> going = due.stream()
                    .filter(each -> each.version() != null && Boolean.FALSE.equals(held.get(each.instance())))
                    .toList();
            return ifAny(staying, store::stay).chain(() -> ifAny(going, some -> store.depart(some)
                    .invoke(gone -> LOG.debugf("instances hold nothing in placement and are unregistered instances=%s", gone))
                    .replaceWithVoid()));
        });
    }

    private static <T> Uni<Void> ifAny(List<T> some, Function<List<T>, Uni<Void>> work) {
        return some.isEmpty() ? Uni.createFrom().voidItem() : work.apply(some);
    }
}
