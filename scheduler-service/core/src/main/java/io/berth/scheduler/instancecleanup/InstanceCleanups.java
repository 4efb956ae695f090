package io.berth.scheduler.instancecleanup;

import io.berth.identity.StartRefusal;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.ComparedInstance;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.DueCleanup;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.Turn;
import io.berth.scheduler.lease.OpenRecords;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ReleasedConsumersResult;
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
 * Deletes the registrations of instances whose allocations a client released in placement.
 *
 * <ol>
 * <li>Every second one replica has the turn to find suspects: instances that may hold no allocations any more. It
 * queries placement's log for consumers that released all their allocations since the last query. It also compares a
 * page of the registered instances with placement, to find releases that the log lacks, because the Placement is not
 * Berth's or the scheduler was down too long. The comparison suspects no instance that a client registered and that was
 * never seen to hold allocations.
 * <li>Suspects are stored. Any replica queries placement again for each suspect, and deletes its registration if it
 * holds no allocations and no request that places, moves or deletes the instance is open.
 * <li>An instance that holds allocations after its registration was deleted, because another client moved it, is
 * registered again on its current host, with its server group. Such instances are looked for until one to two days
 * after the deletion.
 * </ol>
 *
 * <p>Options: {@code berth.instances-compared-per-second}, 0 to 10,000, default 50; with 0, suspects are found only in
 * placement's log. {@code berth.instances-compared-pause}, default 30 s, is the pause between two comparisons of all
 * registered instances.
 */
@Singleton
public class InstanceCleanups implements OpenRecords {
    private static final Logger LOG = Logger.getLogger(InstanceCleanups.class);
    /**
     * Seconds between the end of a turn and the next turn; less than the second between two calls of
     * {@link #processDue}.
     */
    private static final double TURN_SECONDS = 0.9;
    /** Lease of a turn in seconds. If a replica dies during its turn, no other replica begins a turn for this long. */
    private static final double LEASE_SECONDS = 15;
    private static final int COMPARED_PER_SECOND_MAX = 10_000;
    /** Maximum suspects that one call of {@link #processDue} checks; the next call checks the others. */
    private static final int CHECKED_MAX = 100;
    /**
     * Maximum suspects that one statement stores. Placement may report 50,000 releases at once, for which a single
     * statement could exceed its timeout on a busy database; the next attempt would then have even more.
     */
    private static final int STORED_MAX = 1_000;
    /**
     * Seconds until a suspect is checked again if its registration was not deleted because a request for the instance
     * is open or the registration has changed, or if placement did not respond for the instance.
     */
    private static final double NEXT_CHECK_SECONDS = 5;
    /** How long the log is not queried after placement has responded that it keeps none. */
    private static final Duration LOG_ABSENCE_KEPT = Duration.ofMinutes(1);
    /**
     * Time limit of the queries for a page. Beyond it, all responses for the page are ignored. Instances without a
     * response are compared in the next round of pages.
     */
    private static final Duration PAGE_TIME_MAX = Duration.ofSeconds(10);
    /**
     * How long the last host and server group of an instance are stored, for an unshelve or reschedule whose request
     * does not name them.
     */
    private static final Duration LAST_HOST_KEPT = Duration.ofDays(30);

    private final InstanceCleanupStore store;
    private final PlacementClient placement;
    private final RegistryFeed feed;
    private final int comparedPerSecond;
    private final Duration comparisonPause;
    /** Time, by {@link System#nanoTime}, of the last response that placement keeps no log; null if it keeps one. */
    private volatile @Nullable Long logAbsentSince;
    /**
     * Time, by {@link System#nanoTime}, of the end of the last round of pages; null before the first end and during a
     * round.
     */
    private volatile @Nullable Long roundEndedAt;

    /**
     * @param comparedPerSecond registered instances that are compared with placement per second, 0 to 10,000; 0: none
     * @param comparisonPause pause after all registered instances were compared with placement
     */
    InstanceCleanups(
            InstanceCleanupStore store,
            PlacementClient placement,
            RegistryFeed feed,
            @ConfigProperty(name = "berth.instances-compared-per-second", defaultValue = "50") int comparedPerSecond,
            @ConfigProperty(name = "berth.instances-compared-pause", defaultValue = "30S") Duration comparisonPause) {
        this.store = store;
        this.placement = placement;
        this.feed = feed;
        this.comparedPerSecond = comparedPerSecond;
        this.comparisonPause = comparisonPause;
        if (comparedPerSecond < 0 || comparedPerSecond > COMPARED_PER_SECOND_MAX) {
            throw StartRefusal.because(
                    "berth.instances-compared-per-second must be from 0 to " + COMPARED_PER_SECOND_MAX + ": "
                            + comparedPerSecond);
        }
    }

    @Override
    public String name() {
        return "instance cleanups";
    }

    /** Does the work of the class comment once. Returns true if further suspects may be due. */
    @Override
    public Uni<Boolean> processDue() {
        String requestId = "req-" + UUID.randomUUID();
        return store.beginTurn(LEASE_SECONDS)
                .chain(turn -> turn == null ? Uni.createFrom().voidItem() : compare(turn, requestId))
                .chain(() -> store.takeUnregistered(PlacementClient.HOLDING_CONSUMERS_MAX))
                .chain(instances -> unlessEmpty(instances, some -> registerAgain(some, requestId)))
                .chain(() -> store.takeDue(NEXT_CHECK_SECONDS, CHECKED_MAX))
                .chain(due -> checkSuspects(due, requestId).replaceWith(due.size() == CHECKED_MAX));
    }

    /** Registers instances again, if they hold allocations on a registered compute node. */
    private Uni<Void> registerAgain(List<UUID> unregistered, String requestId) {
        return placement.holding(unregistered, requestId)
                .map(held -> unregistered.stream().filter(each -> held.getOrDefault(each, false)).toList())
                .chain(holding -> unlessEmpty(holding, some -> feed.current()
                        .chain(registry -> placesOf(some, registry, requestId))
                        .chain(this::restore)));
    }

    /**
     * Returns the place of each instance that holds allocations on a registered compute node; the first one if there
     * are several.
     */
    private Uni<Map<UUID, Place>> placesOf(List<UUID> instances, RegistrySnapshot registry, String requestId) {
        return Multi.createFrom().iterable(instances)
                .onItem().transformToUniAndConcatenate(instance -> placement.getAllocations(instance, requestId)
                        .map(result -> Map.entry(instance, places(result, registry))))
                .select().where(each -> !each.getValue().isEmpty())
                .collect().asMap(Map.Entry::getKey, each -> each.getValue().getFirst());
    }

    private Uni<Void> restore(Map<UUID, Place> places) {
        return unlessEmpty(List.copyOf(places.keySet()), any -> store.registerAgain(places)
                .invoke(again -> LOG.infof("instances hold allocations again and are registered=%s", again))
                .replaceWithVoid());
    }

    /** Returns the compute nodes on which an instance holds allocations; empty if placement did not respond. */
    private static List<Place> places(AllocationsResult answer, RegistrySnapshot registry) {
        return answer instanceof AllocationsResult.Allocations held
                ? registry.computeNodesAmong(held.allocations().keySet()).stream()
                        .map(node -> new Place(node.host(), node.nodename()))
                        .toList()
                : List.of();
    }

    @Override
    public Uni<Integer> prune() {
        return store.prune(LAST_HOST_KEPT.toSeconds(), PRUNED_TOGETHER_MAX);
    }

    /**
     * Returns the last host of an instance whose registration was deleted, although the instance was not: because it
     * held no allocations, or was missing in its compute node's list of instances. Null for any other instance, and 30
     * days after the deletion. May return an outdated host for an instance that is registered.
     */
    public Uni<Place> lastPlace(UUID instance) {
        return store.lastPlace(instance);
    }

    /**
     * Returns the last server group of an instance that has a {@link #lastPlace}. Null if the instance was in no group,
     * is registered or was deleted, and 30 days after its registration was deleted. The group's policy is that of
     * earlier requests, or null if the group is registered.
     */
    public Uni<ServerGroup> lastGroup(UUID instance) {
        return store.lastGroup(instance);
    }

    /** Runs a turn: finds suspects in placement's log and in a page, and stores them. */
    private Uni<Void> compare(Turn turn, String requestId) {
        return queryReleased(turn, requestId).chain(answer -> {
            ReleasedConsumersResult.Received released =
                    answer instanceof ReleasedConsumersResult.Received received ? received : null;
            return comparePage(turn, requestId).chain(page -> {
                List<UUID> suspects = new ArrayList<>(page.suspects());
                if (released != null) {
                    suspects.addAll(released.consumers());
                }
                return storeSuspects(turn, suspects).chain(lastBatch -> store.storeTurn(
                        turn, lastBatch, page.holding(), released == null ? null : released.until(), page.until(),
                        TURN_SECONDS));
            });
        });
    }

    /**
     * Stores the suspects in batches, except for the last batch. Returns the last batch, which the statement that ends
     * the turn stores.
     */
    private Uni<List<UUID>> storeSuspects(Turn turn, List<UUID> suspects) {
        int lastBatchStart = suspects.size() - suspects.size() % STORED_MAX;
        return Multi.createFrom().iterable(suspects.subList(0, lastBatchStart))
                .group().intoLists().of(STORED_MAX)
                .onItem().transformToUniAndConcatenate(some -> store.storeSuspects(turn, some, LEASE_SECONDS))
                .onItem().ignoreAsUni()
                .replaceWith(suspects.subList(lastBatchStart, suspects.size()));
    }

    private Uni<ReleasedConsumersResult> queryReleased(Turn turn, String requestId) {
        if (isWithinLast(LOG_ABSENCE_KEPT, logAbsentSince)) {
            return Uni.createFrom().item(new ReleasedConsumersResult.NoLog());
        }
        return placement.releasedSince(turn.releasedUntil(), requestId).invoke(
                answer -> logAbsentSince =
                        answer instanceof ReleasedConsumersResult.NoLog ? (Long) System.nanoTime() : null);
    }

    /**
     * The result of comparing a page of registered instances with placement.
     *
     * @param suspects instances that were known to hold allocations and hold none now
     * @param holding instances that were not known to hold allocations and hold some now
     * @param until the last instance of the page; the nil uuid after the last page; the former value if no page was
     *     compared
     */
    private record Page(List<UUID> suspects, List<UUID> holding, UUID until) {}

    private Uni<Page> comparePage(Turn turn, String requestId) {
        if (comparedPerSecond == 0 || isWithinLast(comparisonPause, roundEndedAt)) {
            return Uni.createFrom().item(new Page(List.of(), List.of(), turn.comparedUntil()));
        }
        return store.page(turn.comparedUntil(), comparedPerSecond)
                .chain(page -> queryHolding(page.stream().map(ComparedInstance::instance).toList(), requestId)
                        .ifNoItem().after(PAGE_TIME_MAX).recoverWithItem(Map.of())
                        .map(holding -> compare(page, holding)));
    }

    private Page compare(List<ComparedInstance> page, Map<UUID, Boolean> holdsByInstance) {
        List<UUID> suspects = new ArrayList<>();
        List<UUID> holding = new ArrayList<>();
        for (ComparedInstance each : page) {
            Boolean holds = holdsByInstance.get(each.instance());
            // Either an unverified instance that holds allocations, or another one that holds none.
            if (holds != null && holds == each.unverified()) {
                (holds ? holding : suspects).add(each.instance());
            }
        }
        boolean isLast = page.size() < comparedPerSecond;
        roundEndedAt = isLast ? (Long) System.nanoTime() : null;
        return new Page(suspects, holding, isLast ? new UUID(0, 0) : page.getLast().instance());
    }

    private static boolean isWithinLast(Duration time, @Nullable Long nanoTime) {
        return nanoTime != null && System.nanoTime() - nanoTime < time.toNanos();
    }

    /** Returns whether each instance holds allocations. Instances for which placement does not respond are missing. */
    private Uni<Map<UUID, Boolean>> queryHolding(List<UUID> instances, String requestId) {
        return Multi.createFrom().iterable(instances)
                .group().intoLists().of(PlacementClient.HOLDING_CONSUMERS_MAX)
                .onItem().transformToUniAndConcatenate(some -> placement.holding(some, requestId))
                .collect().in(HashMap::new, Map::putAll);
    }

    /** Checks suspects in placement, and deletes the registration of each suspect that holds no allocations. */
    private Uni<Void> checkSuspects(List<DueCleanup> due, String requestId) {
        List<UUID> registered = due.stream().filter(each -> each.version() != null).map(DueCleanup::instance).toList();
        return queryHolding(registered, requestId).chain(held -> {
            List<UUID> kept = due.stream()
                    .filter(each -> each.version() == null || held.getOrDefault(each.instance(), false))
                    .map(DueCleanup::instance)
                    .toList();
            List<DueCleanup> toUnregister = due.stream()
                    .filter(each -> each.version() != null && Boolean.FALSE.equals(held.get(each.instance())))
                    .toList();
            return unlessEmpty(kept, store::endChecks)
                    .chain(() -> unlessEmpty(toUnregister, some -> store.deleteRegistrations(some)
                            .invoke(gone -> LOG.debugf(
                                    "instances hold nothing in placement and are unregistered instances=%s", gone))
                            .replaceWithVoid()));
        });
    }

    private static <T> Uni<Void> unlessEmpty(List<T> list, Function<List<T>, Uni<Void>> work) {
        return list.isEmpty() ? Uni.createFrom().voidItem() : work.apply(list);
    }
}
