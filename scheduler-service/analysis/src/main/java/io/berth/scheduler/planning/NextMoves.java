package io.berth.scheduler.planning;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.request.RequestedDestination;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Chooses the next moves for emptying hosts, from the present state of the cloud. All chosen moves may be in progress
 * at the same time, because no move needs capacity that another move frees. Tries the instances in the order in which
 * {@link DrainPlanner} plans them.
 */
@Singleton
public class NextMoves {
    private final Requests requests;

    NextMoves(Requests requests) {
        this.requests = requests;
    }

    /**
     * The next moves.
     *
     * @param underWay number of moves that are in progress already, without {@code moves}
     * @param isLate whether the time was up while slots were free and instances were left to try
     */
    public record Found(List<NextMove> moves, int underWay, boolean isLate) {}

    /**
     * Chooses moves until the slots are full. Blocks; for the analysis worker only. Throws ApiFault: 501 if placement
     * is not Berth's, 503 if it does not respond.
     *
     * @param hosts names of the hosts to empty, in their order; they are no destinations
     * @param leaving instances that have begun to move, which are left out
     * @param slots the limits of the moves in progress
     * @param allowsUnknownRequest whether an instance may move if its request, and thus its destination, is unknown
     */
    public Found find(
            Snapshot snapshot, List<String> hosts, Set<UUID> leaving, MoveSlots slots, boolean allowsUnknownRequest) {
        var choice = new Choice(new Mover(snapshot, requests, Map.of()), Set.copyOf(hosts), allowsUnknownRequest);
        MoveSlots.ChosenMoves<NextMove> chosen =
                slots.fill(hosts, host -> choice.instancesOn(host, leaving), choice::attempt);
        return new Found(chosen.moves(), chosen.underWay(), chosen.isLate());
    }

    private record Candidate(Movable.Origin origin, RegisteredInstance instance) {}

    /** Tries to begin moves, one after the other, on one copy of the cloud. */
    private record Choice(Mover mover, Set<String> hosts, boolean allowsUnknownRequest) {
        List<Candidate> instancesOn(String host, Set<UUID> leaving) {
            return mover.origins(host).stream()
                    .flatMap(origin -> Mover.instancesOn(origin, mover.now().registry()).stream()
                            .filter(instance -> !leaving.contains(instance.uuid()))
                            .map(instance -> new Candidate(origin, instance)))
                    .toList();
        }

        MoveSlots.MoveResult<NextMove> attempt(Candidate candidate) {
            if (mover.now().deadline().isUp()) {
                return new MoveSlots.TimeUp<>();
            }
            Movable movable = mover.movables(candidate.origin(), List.of(candidate.instance())).getFirst();
            // An instance that holds allocations only on another host is being moved without POST /v1/moves.
            if (!movable.isOnOrigin() && !movable.held().allocations().isEmpty()) {
                return new MoveSlots.AlreadyMoving<>();
            }
            return switch (mover.attempt(movable, hosts, null)) {
                case Mover.CanMove free -> beginMove(movable, free.decision().rankedHosts().getFirst().host());
                case Mover.Stuck stuck when allowsUnknownRequest && stuck.code() == Mover.Code.REQUEST_UNKNOWN ->
                    new MoveSlots.CanMove<>(new NextMove(movable, null));
                case Mover.Stuck _ -> new MoveSlots.CannotMove<>();
                case Mover.TimeUp _ -> new MoveSlots.TimeUp<>();
            };
        }

        /**
         * Checks the instance again with this host as requested destination, as the client's {@code POST /v1/moves}
         * will, and begins the move on the copy.
         */
        private MoveSlots.MoveResult<NextMove> beginMove(Movable movable, HostState host) {
            var destination = new RequestedDestination(host.host(), host.nodename(), null, false);
            return switch (mover.attempt(movable, List.of(), destination)) {
                case Mover.CanMove free -> {
                    HostState to = mover.beginMove(free, free.decision().rankedHosts().getFirst());
                    yield new MoveSlots.CanMove<>(new NextMove(movable, new Step(movable, free.request(), to)));
                }
                case Mover.Stuck _ -> new MoveSlots.CannotMove<>();
                case Mover.TimeUp _ -> new MoveSlots.TimeUp<>();
            };
        }
    }
}
