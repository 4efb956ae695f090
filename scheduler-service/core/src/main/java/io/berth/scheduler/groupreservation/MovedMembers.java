package io.berth.scheduler.groupreservation;

import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.registry.snapshot.RegistrySource;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Updates the registrations of group members that nova moved without Berth, where nova owns the hosts: after a
 * reverted resize, a live migration that was rolled back or forced, or a build on an alternate. Group reservations
 * depend on Berth's own registrations, as only those are written with a claim. A registration is updated once nova
 * has no open operation for its instance. Its version is read before nova is queried, and a claim made after that
 * changes the version: so a registration whose claim is in flight is never taken for an outdated one.
 */
@Singleton
public class MovedMembers {
    private static final Logger LOG = Logger.getLogger(MovedMembers.class);
    /** Maximum members checked in one decision; later decisions check the others. */
    private static final int LOOKED_AT_MAX = 200;
    private static final Duration LOOK_MAX = Duration.ofSeconds(10);

    private final RegistryFeed feed;
    private final RegistrySource source;
    private final MemberStore store;

    MovedMembers(RegistryFeed feed, RegistrySource source, MemberStore store) {
        this.feed = feed;
        this.source = source;
        this.store = store;
    }

    /** Updates the group's members. Never fails: without it, reservations use the existing registrations. */
    public Uni<Void> follow(ServerGroup group, RegistrySnapshot registry) {
        Set<UUID> moved = feed.elsewhere(group.members(), registry).stream()
                .limit(LOOKED_AT_MAX)
                .collect(Collectors.toSet());
        return moved.isEmpty() ? Uni.createFrom().voidItem() : follow(group.uuid(), moved);
    }

    private Uni<Void> follow(UUID group, Set<UUID> moved) {
        return store.versions(moved)
                .chain(versions -> source.settled(moved).chain(places -> store.follow(places, versions)))
                .ifNoItem().after(LOOK_MAX).fail()
                .invoke(count -> LOG.debugf("members were moved group=%s known=%d of=%d", group, count, moved.size()))
                .onFailure().invoke(failure -> LOG.warnf(
                        "not known where members of a server group are group=%s cause=%s", group, failure))
                .onFailure().recoverWithItem(0)
                .replaceWithVoid();
    }
}
