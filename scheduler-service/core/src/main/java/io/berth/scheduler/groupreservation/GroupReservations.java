package io.berth.scheduler.groupreservation;

import io.berth.database.Deadlocks;
import io.berth.scheduler.claim.GroupReservation;
import io.berth.scheduler.claim.GroupReservation.Result;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.db.Batches;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.lease.OpenRecords;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Makes server-group reservations. A reservation gives one instance a place on a host before the instance claims the
 * host. A source reservation keeps the place of a moving instance on the host that it leaves, until the move is
 * confirmed ({@link SourceReservation}).
 *
 * <p>One transaction runs at a time on this replica. It makes the reservations of up to {@value #BATCH_MAX} waiting
 * callers, at most one per group; further callers wait for the next transaction. Concurrent requests for one group
 * therefore need only one connection, and hold the group's lock for one statement. Only decisions in flight wait here,
 * and {@code api.Admission} bounds their number.
 */
@Singleton
public class GroupReservations implements OpenRecords {
    /** Maximum reservations in one transaction. */
    private static final int BATCH_MAX = 64;
    /**
     * Time limit of the transaction that makes reservations. If it is exceeded, {@link Batches} makes the reservations
     * of several callers one by one; a single caller fails.
     */
    private static final Duration RESERVE_MAX = Duration.ofSeconds(5);
    /** Time limit of a statement that adds members to a registered group; the wait for its turn does not count. */
    private static final Duration JOIN_MAX = Duration.ofSeconds(10);
    /** Maximum source reservations that one decision checks; later decisions check the others. */
    private static final int SOURCES_CHECKED_MAX = 16;
    /** Maximum concurrent queries to placement of one {@link #releaseConfirmedSources}. */
    private static final int CONCURRENT_CHECKS_MAX = 4;
    /**
     * Age above which a reservation without an open record is removed. No request takes longer between writing its
     * record and making a reservation.
     */
    private static final Duration PRUNE_AGE_MIN = Duration.ofMinutes(10);
    private static final String MOVE_PREFIX = "move:";

    private final GroupReservationStore store;
    private final PlacementClient placement;
    private final RegistryFeed feed;
    private final Batches<ReservationRequest, GroupReservationStore.ReservationVerdict> batches;
    private final Joins joins = new Joins(JOIN_MAX);

    GroupReservations(GroupReservationStore store, PlacementClient placement, RegistryFeed feed) {
        this.store = store;
        this.placement = placement;
        this.feed = feed;
        this.batches = new Batches<>(BATCH_MAX, RESERVE_MAX, reservation -> List.of(reservation.group()), batch -> store
                .reserve(batch)
                .map(verdicts -> reservation -> verdicts.get(reservation.group())));
    }

    @Override
    public String name() {
        return "group reservations";
    }

    /**
     * Deletes reservations older than {@code PRUNE_AGE_MIN} whose holder (a request to place instances, or a move) is
     * closed or does not exist. Source reservations stay; {@link #releaseConfirmedSources} releases them.
     */
    @Override
    public Uni<Integer> prune() {
        return store.prune(PRUNE_AGE_MIN.toSeconds());
    }

    /** Returns the key of a move as the holder of reservations. */
    public static String holder(UUID migration) {
        return MOVE_PREFIX + migration;
    }

    /**
     * Returns a function that reserves a host for an instance.
     *
     * @param grouping the instance's group, with the rules for its reservations
     * @param holder key of the request to place the instance, or of the move, that will release the reservation
     * @param source the source reservation, for an instance that moves, to make in the same statement; null for none
     */
    public <H> GroupReservation<H> reservation(Grouping<H> grouping, UUID instance, String holder,
            @Nullable SourceReservation source) {
        return host -> {
            String name = grouping.name().apply(host);
            return batches
                    .add(new ReservationRequest(
                            grouping.group(),
                            instance,
                            name,
                            holder,
                            grouping.policy(),
                            grouping.maxServerPerHost(),
                            source,
                            grouping.moving().getOrDefault(name, Set.of())))
                    .map(verdict -> resultOf(grouping, name, verdict));
        };
    }

    /**
     * Runs a statement by which instances join their group. A statement that changes the group's record waits for its
     * turn in a queue ({@code Joins}); any other runs at once. Retries deadlocks, which an edit of the group may
     * cause: the statement locks the members before the group's record, the edit locks them in the opposite order.
     *
     * @param group the instances' group; null for none
     * @param instances the instances that join
     * @return the result of the statement
     */
    public Uni<Boolean> join(@Nullable UUID group, List<UUID> instances, Uni<Boolean> statement) {
        Uni<Boolean> joining = Deadlocks.repeated(statement);
        return group == null || !addsMembers(instances, group) ? joining : joins.add(group, joining);
    }

    /**
     * Returns whether the group is registered and some of the instances are not members yet, according to the last
     * registry snapshot. In other cases the statement does not change a group's record.
     */
    private boolean addsMembers(List<UUID> instances, UUID group) {
        RegistrySnapshot snapshot = feed.lastSnapshot();
        ServerGroup registered = snapshot == null ? null : snapshot.findServerGroup(group);
        return registered != null && registered.isRegistered()
                && !instances.stream().map(UUID::toString).allMatch(registered.members()::contains);
    }

    private static Result resultOf(
            Grouping<?> grouping, String host, GroupReservationStore.ReservationVerdict verdict) {
        if (verdict.isReserved()) {
            return new Result.Reserved();
        }
        boolean isAffinity = "affinity".equals(verdict.policy());
        return new Result.Refused(
                "server group " + grouping.group() + (isAffinity
                        ? " has no member on " + host + ", but has members on other hosts"
                        : " has " + verdict.others() + " instances on " + host + ", limit " + verdict.most()),
                isAffinity && !grouping.isAnyHostTried());
    }

    /**
     * Releases the group's source reservations whose allocations no longer exist in placement, because nova confirmed
     * the move. A source reservation stays if placement does not respond, or if Berth's record of the move is started
     * or being reverted. Checks at most {@value #SOURCES_CHECKED_MAX} source reservations.
     *
     * @return whether a reservation was released
     */
    public Uni<Boolean> releaseConfirmedSources(ServerGroup group, String requestId) {
        // Only a source reservation has a consumer.
        List<ServerGroup.Reservation> sources = new ArrayList<>(
                group.reservations().stream().filter(reservation -> reservation.consumer() != null).toList());
        if (sources.isEmpty()) {
            return Uni.createFrom().item(false);
        }
        // A random choice, so that repeated decisions check all of them.
        Collections.shuffle(sources);
        return Multi.createFrom().iterable(sources.subList(0, Math.min(sources.size(), SOURCES_CHECKED_MAX)))
                .onItem().transformToUni(reservation -> releaseConfirmedSources(
                        group, Objects.requireNonNull(reservation.consumer()), reservation, requestId))
                .merge(CONCURRENT_CHECKS_MAX)
                .collect().asList()
                .map(released -> released.contains(true));
    }

    private Uni<Boolean> releaseConfirmedSources(
            ServerGroup group, UUID consumer, ServerGroup.Reservation reservation, String requestId) {
        return placement.getAllocations(consumer, requestId).chain(result -> switch (result) {
            case AllocationsResult.Allocations held when Collections.disjoint(held.allocations().keySet(),
                    reservation.providers()) ->
                store.deleteSource(group.uuid(), reservation.instance(), reservation.holder(),
                        migration(reservation.holder()));
            case AllocationsResult.Allocations _, AllocationsResult.Unreachable _ -> Uni.createFrom().item(false);
        });
    }

    private static @Nullable UUID migration(String holder) {
        return holder.startsWith(MOVE_PREFIX) ? UUID.fromString(holder.substring(MOVE_PREFIX.length())) : null;
    }
}
