package io.berth.scheduler.planning;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Decides which instances of hosts that are emptied may begin to move now, so that never more than some are under way,
 * in total and from each host. Mutable.
 */
public final class MoveSlots {
    private final int parallel;
    private final int perHost;
    private final int limit;
    private final Map<String, Integer> byHost;
    private int underWay;

    /**
     * @param parallel moves under way at a time, from all hosts
     * @param perHost moves under way at a time from one host
     * @param limit moves that may begin now
     * @param underWay moves under way by host
     */
    public MoveSlots(int parallel, int perHost, int limit, Map<String, Integer> underWay) {
        this.parallel = parallel;
        this.perHost = perHost;
        this.limit = limit;
        this.byHost = new HashMap<>(underWay);
        this.underWay = underWay.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The result of trying one instance. */
    sealed interface Tried<M> {}

    record Goes<M>(M move) implements Tried<M> {}

    record Stays<M>() implements Tried<M> {}

    /** The instance has begun to move already. */
    record IsMoving<M>() implements Tried<M> {}

    /** The time is up. */
    record Late<M>() implements Tried<M> {}

    /**
     * @param underWay moves under way before these
     * @param isLate whether the time was up before all slots were taken or all instances tried
     */
    record Chosen<M>(List<M> moves, int underWay, boolean isLate) {}

    /**
     * Fills the free slots: the hosts in order, and the instances of each in order. Tries no instance of a host without
     * a free slot.
     *
     * @param attempt makes the move on a copy of the cloud if it is possible after those before it
     */
    <I, M> Chosen<M> fill(
            List<String> hosts, Function<String, ? extends Iterable<I>> instancesOn, Function<I, Tried<M>> attempt) {
        List<M> moves = new ArrayList<>();
        boolean isLate = false;
        for (String host : hosts) {
            isLate = isLate || isFree(host, moves) && !fill(host, instancesOn.apply(host), attempt, moves);
        }
        return new Chosen<>(moves, underWay - moves.size(), isLate);
    }

    /** Returns false if the time is up. */
    private <I, M> boolean fill(String host, Iterable<I> instances, Function<I, Tried<M>> attempt, List<M> moves) {
        for (I instance : instances) {
            if (!isFree(host, moves)) {
                return true;
            }
            switch (attempt.apply(instance)) {
                case Goes<M>(M move) -> {
                    take(host);
                    moves.add(move);
                }
                case IsMoving<M> _ -> take(host);
                case Stays<M> _ -> {}
                case Late<M> _ -> {
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
