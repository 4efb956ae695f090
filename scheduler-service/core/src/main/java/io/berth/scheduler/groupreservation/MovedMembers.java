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
 * Updates Berth's registrations of server-group members that nova moved without a claim by Berth, for example after a
 * reverted resize, a live migration that was rolled back or forced, or a build on an alternate. Active only if nova's
 * databases are the source of hosts. The update is needed because group reservations count members by Berth's
 * registrations, the only record of hosts that is written together with a claim.
 *
 * <p>A registration is updated only if nova has no open operation for the instance, and no open request or move of
 * Berth works on it. The version of the registration is read before nova's databases are. A request of Berth that
 * completes later changes the version, so the update cannot overwrite the host of that request.
 */
@Singleton
public class MovedMembers {
    private static final Logger LOG = Logger.getLogger(MovedMembers.class);
    /** Maximum moved members whose registrations one decision updates; later decisions update the others. */
    private static final int MEMBERS_UPDATED_MAX = 200;
    /** Time limit of the reads and the update of one decision, after which the decision continues without them. */
    private static final Duration UPDATE_MAX = Duration.ofSeconds(10);

    private final RegistryFeed feed;
    private final RegistrySource source;
    private final MemberStore store;

    MovedMembers(RegistryFeed feed, RegistrySource source, MemberStore store) {
        this.feed = feed;
        this.source = source;
        this.store = store;
    }

    /**
     * Updates the registrations of the group's members that nova reports on another host than Berth's registration.
     * Never fails: after an error or the time limit, which is logged, reservations use the existing registrations.
     *
     * @param registry the registry merged from Berth's own records and nova's databases; the host of an instance in it
     *     is the one that nova reports
     */
    public Uni<Void> updateRegistrations(ServerGroup group, RegistrySnapshot registry) {
        Set<UUID> moved = feed.movedMembers(group.members(), registry).stream()
                .limit(MEMBERS_UPDATED_MAX)
                .collect(Collectors.toSet());
        return moved.isEmpty() ? Uni.createFrom().voidItem() : updateRegistrations(group.uuid(), moved);
    }

    private Uni<Void> updateRegistrations(UUID group, Set<UUID> moved) {
        return store.versions(moved)
                .chain(versions -> source.placesWithoutOperation(moved)
                        .chain(places -> store.writePlaces(places, versions)))
                .ifNoItem().after(UPDATE_MAX).fail()
                .invoke(count -> LOG.debugf(
                        "hosts of moved members updated group=%s updated=%d moved=%d", group, count, moved.size()))
                .onFailure().invoke(failure -> LOG.warnf(
                        "hosts of moved members of a server group not updated group=%s cause=%s", group, failure))
                .onFailure().recoverWithItem(0)
                .replaceWithVoid();
    }
}
