package io.berth.scheduler.planning;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Limits the moves that are in progress at a time while hosts are emptied, in total and from each host, and chooses the
 * instances that may begin to move now. Mutable; for one use of {@link #fill}.
 */
public final class MoveSlots {
    private final int parallel;
    private final int perHost;
    private final int limit;
    /** The number of moves in progress by host, including moves that begin now. */
    private final Map<String, Integer> byHost;
    /** The sum of {@link #byHost}. */
    private int underWay;

    /**
     * @param parallel maximum number of moves in progress at a time, from all hosts together
     * @param perHost maximum number of moves in progress at a time from one host
     * @param limit maximum number of moves that may begin now
     * @param underWay number of moves in progress, by the host that they leave
     */
    public MoveSlots(int parallel, int perHost, int limit, Map<String, Integer> underWay) {
        this.parallel = parallel;
        this.perHost = perHost;
        this.limit = limit;
        this.byHost = new HashMap<>(underWay);
        this.underWay = underWay.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The result of trying one instance. */
    sealed interface MoveResult<M> {}

    /** The instance may begin to move. */
    record CanMove<M>(M move) implements MoveResult<M> {}

    /** The instance cannot move now. */
    record CannotMove<M>() implements MoveResult<M> {}

    /** The instance has begun to move already, and occupies a slot. */
    record AlreadyMoving<M>() implements MoveResult<M> {}

    /** The time is up. */
    record TimeUp<M>() implements MoveResult<M> {}

    /**
     * The moves that may begin now.
     *
     * @param underWay number of moves that are in progress already, without {@code moves}
     * @param isLate whether the time was up while slots were free and instances were left to try
     */
    record ChosenMoves<M>(List<M> moves, int underWay, boolean isLate) {}

    /**
     * Fills the free slots, in the order of the hosts and of the instances of each host. Does not try instances of a
     * host without a free slot.
     *
     * @param hosts names of the hosts
     * @param instancesOn returns the instances of a host
     * @param attempt tries to begin the move of an instance, on a copy of the cloud on which the earlier moves of this
     * call have begun
     */
    <I, M> ChosenMoves<M> fill(
            List<String> hosts, Function<String, ? extends Iterable<I>> instancesOn,
            Function<I, MoveResult<M>> attempt) {
        List<M> moves = new ArrayList<>();
        boolean isLate = false;
        for (String host : hosts) {
            isLate = isLate || hasFreeSlot(host, moves) && !fill(host, instancesOn.apply(host), attempt, moves);
        }
        return new ChosenMoves<>(moves, underWay - moves.size(), isLate);
    }

    /** Fills the free slots of one host. Returns false if the time is up. */
    private <I, M> boolean fill(String host, Iterable<I> instances, Function<I, MoveResult<M>> attempt, List<M> moves) {
        for (I instance : instances) {
            if (!hasFreeSlot(host, moves)) {
                return true;
            }
            switch (attempt.apply(instance)) {
                case CanMove<M>(M move) -> {
                    occupySlot(host);
                    moves.add(move);
                }
                case AlreadyMoving<M> _ -> occupySlot(host);
                case CannotMove<M> _ -> {}
                case TimeUp<M> _ -> {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean hasFreeSlot(String host, List<?> moves) {
        return underWay < parallel && moves.size() < limit && byHost.getOrDefault(host, 0) < perHost;
    }

    private void occupySlot(String host) {
        underWay++;
        byHost.merge(host, 1, Integer::sum);
    }
}
