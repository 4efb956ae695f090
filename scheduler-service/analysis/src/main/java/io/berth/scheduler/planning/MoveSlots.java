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
    /** Moves in progress by host, including those that begin now. */
    private final Map<String, Integer> byHost;
    /** The sum of {@link #byHost}. */
    private int underWay;

    /**
     * @param parallel maximum moves in progress at a time, from all hosts
     * @param perHost maximum moves in progress at a time from one host
     * @param limit maximum moves that may begin now
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

    /** The instance had begun to move before, and takes a slot. */
    record AlreadyMoving<M>() implements MoveResult<M> {}

    /** The time is up. */
    record TimeUp<M>() implements MoveResult<M> {}

    /**
     * The moves that begin now.
     *
     * @param underWay number of moves that were in progress before {@code moves}
     * @param isLate whether the time was up before all slots were filled or all instances were tried
     */
    record ChosenMoves<M>(List<M> moves, int underWay, boolean isLate) {}

    /**
     * Fills the free slots, in the order of the hosts and of the instances of each host. Does not try instances of a
     * host without a free slot.
     *
     * @param hosts names of the hosts
     * @param instancesOn returns the instances of a host
     * @param attempt tries to begin the move of an instance, on a copy of the cloud on which the earlier moves have
     * begun
     */
    <I, M> ChosenMoves<M> fill(
            List<String> hosts, Function<String, ? extends Iterable<I>> instancesOn,
            Function<I, MoveResult<M>> attempt) {
        List<M> moves = new ArrayList<>();
        boolean isLate = false;
        for (String host : hosts) {
            isLate = isLate || isFree(host, moves) && !fill(host, instancesOn.apply(host), attempt, moves);
        }
        return new ChosenMoves<>(moves, underWay - moves.size(), isLate);
    }

    /** Returns false if the time is up. */
    private <I, M> boolean fill(String host, Iterable<I> instances, Function<I, MoveResult<M>> attempt, List<M> moves) {
        for (I instance : instances) {
            if (!isFree(host, moves)) {
                return true;
            }
            switch (attempt.apply(instance)) {
                case CanMove<M>(M move) -> {
                    take(host);
                    moves.add(move);
                }
                case AlreadyMoving<M> _ -> take(host);
                case CannotMove<M> _ -> {}
                case TimeUp<M> _ -> {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isFree(String host, List<?> moves) {
        return underWay < parallel && moves.size() < limit && byHost.getOrDefault(host, 0) < perHost;
    }

    private void take(String host) {
        underWay++;
        byHost.merge(host, 1, Integer::sum);
    }
}
