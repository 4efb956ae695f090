package io.berth.scheduler.seat;

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
 * Members that were moved without Berth where hosts are somebody else's: a resize that was reverted, a live migration that
 * went back or was forced, an alternate. Seats go by Berth's own records, as only those are written with a claim; a record
 * follows once nothing is done with its instance there. That is asked behind the record's version, and a claim made after
 * it changes that: a record of a claim that is on its way is never taken for one that is out of date.
 */
@Singleton
public class MovedMembers {
    private static final Logger LOG = Logger.getLogger(MovedMembers.class);
    /** Members that are looked at for one decision; others are looked at for later ones. */
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

    /** Never fails: seats then go by what was recorded. */
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
