package io.berth.scheduler.instancecleanup;

import io.berth.identity.StartRefusal;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.Compared;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.Due;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.Turn;
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
 * Ends the registrations of instances that hold nothing in placement any more, whichever client released their
 * allocations.
 *
 * <p>Every second one replica queries placement for consumers that released all their allocations since its last
 * query. It also compares a page of all registered instances with placement, which finds what that log lacks, because
 * the Placement is not Berth's or the scheduler was down. Suspects are noted, queried once more, and unregistered by
 * any replica, unless a placement request or a move of the instance is open. From a page only instances are
 * unregistered that Berth placed or that once held allocations: one that a client registered without a claim stays.
 * An instance that holds allocations again, because another client moved it, is registered again on its current host,
 * with its server group.
 *
 * <p>Options: {@code berth.instances-compared-per-second}, 0 to 10,000, default 50; 0: only the releases that
 * placement reports. {@code berth.instances-compared-rest}, default 30 s, the pause between two rounds over all
 * registered instances.
 */
@Singleton
public class InstanceCleanups implements OpenRecords {
    private static final Logger LOG = Logger.getLogger(InstanceCleanups.class);
    private static final double TURN_SECONDS = 0.9;
    /** Lease of a turn: a replica that dies within it blocks the others for this long. */
    private static final double LEASE_SECONDS = 15;
    private static final int PER_SECOND_MAX = 10_000;
    private static final int TOGETHER_MAX = 100;
    /**
     * Maximum suspects noted in one statement. All of the 50,000 that placement may report at once could exceed the
     * statement timeout on a busy database, and the next attempt would report even more.
     */
    private static final int SUSPECTED_TOGETHER_MAX = 1_000;
    /**
     * Seconds until an instance is checked again if its placement request or move is open, or placement did not
     * report on it.
     */
    private static final double AGAIN_SECONDS = 5;
    private static final Duration NOT_KEPT_FOR = Duration.ofMinutes(1);
    /** Longest time for the queries of a page; instances without a response by then are compared in the next round. */
    private static final Duration PAGE_MAX = Duration.ofSeconds(10);
    /** How long the last host is kept, as the instance may be unshelved without naming it. */
    private static final Duration KEEP = Duration.ofDays(30);

    private final InstanceCleanupStore store;
    private final PlacementClient placement;
    private final RegistryFeed feed;
    private final int perSecond;
    private final Duration rest;
    /** When placement last responded that it keeps no log of releases; null if it is not known to lack one. */
    private volatile @Nullable Long notKeptSince;
    /** When the last round ended; null within a round. */
    private volatile @Nullable Long restsSince;

    /**
     * @param perSecond how many registered instances are compared with placement in a second, at most 10,000; 0: none
     * @param rest pause after all were compared
     */
    InstanceCleanups(
            InstanceCleanupStore store,
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
        return "instance cleanups";
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

    /**
     * Registers again the instances that hold allocations after all: another client moved them, and they held nothing
     * in between.
     */
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

    /** Returns the compute nodes on which an instance holds allocations. */
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

    /**
     * Returns the last host of an instance that was unregistered because it held nothing. Null if it was not, was
     * deleted since, or if that is long ago. For an instance that is registered again it may return an earlier host.
     */
    public Uni<Place> lastPlace(UUID instance) {
        return store.lastPlace(instance);
    }

    /**
     * Returns null if the instance was in no group, is registered, was deleted, or was unregistered long ago. The
     * policy is the one from requests; it is null for a registered group.
     */
    public Uni<ServerGroup> lastGroup(UUID instance) {
        return store.lastGroup(instance);
    }

    private Uni<Void> compare(Turn turn, String requestId) {
        return released(turn, requestId).chain(answer -> {
            ReleasedAnswer.Received released = answer instanceof ReleasedAnswer.Received is ? is : null;
            return page(turn, requestId).chain(page -> {
                List<UUID> suspects = new ArrayList<>(page.suspects());
                if (released != null) {
                    suspects.addAll(released.consumers());
                }
                return suspected(turn, suspects).chain(last -> store.ended(
                        turn, last, page.holding(), released == null ? null : released.until(), page.until(), TURN_SECONDS));
            });
        });
    }

    /**
     * Notes all suspects in batches except the last batch, which is returned and noted by the statement that ends the
     * turn.
     */
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
     * A page of all registered instances, compared with placement.
     *
     * @param suspects instances that hold nothing, but did before
     * @param holding instances that were not known to hold anything, but do
     * @param until the last instance of the page
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

    /** Returns whether each instance holds allocations; leaves out those that placement does not report on. */
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
