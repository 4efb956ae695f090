package io.berth.scheduler.planning;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** The moves proposed so far, and a copy of the cloud after these moves. Mutable. */
final class ProposedMoves {
    private final Mover mover;
    private final List<Step> steps;
    private final int movesMax;
    private final Notes notes;

    ProposedMoves(Mover mover, int movesMax) {
        this(mover, List.of(), movesMax, new Notes());
    }

    private ProposedMoves(Mover mover, List<Step> steps, int movesMax, Notes notes) {
        this.mover = mover;
        this.steps = new ArrayList<>(steps);
        this.movesMax = movesMax;
        this.notes = notes;
    }

    /** Notes that all trials of a search share, including trials that are not part of the proposal. */
    static final class Notes {
        /** The maximum number of instances whose reason to stay is noted; further instances are not reported. */
        private static final int STAYS_MAX = 100;

        private final Map<UUID, Stay> stays = new LinkedHashMap<>();
        /** True once the time was up during an attempt. */
        private boolean isOutOfTime;

        void add(Movable movable, Mover.Code code, String reason) {
            if (stays.size() < STAYS_MAX || stays.containsKey(movable.uuid())) {
                stays.put(movable.uuid(), new Stay(movable.uuid(), movable.origin().host(), code, reason));
            }
        }
    }

    /** An instance that could not be moved when it was last tried. */
    record Stay(UUID instance, String host, Mover.Code code, String reason) {}

    /** Returns a copy for a trial. The copy and the original share their notes. */
    ProposedMoves fork() {
        return new ProposedMoves(mover.fork(), steps, movesMax, notes);
    }

    Mover mover() {
        return mover;
    }

    /** Returns the cloud after the moves so far. */
    Snapshot now() {
        return mover.now();
    }

    List<Step> steps() {
        return steps;
    }

    int movesLeft() {
        return movesMax - steps.size();
    }

    /**
     * Returns the instances that could not be moved when they were last tried, except those that {@link #steps} move.
     * Returns at most {@value Notes#STAYS_MAX}, the first ones.
     */
    List<Stay> stays() {
        return notes.stays.values().stream()
                .filter(stay -> steps.stream().noneMatch(step -> step.movable().uuid().equals(stay.instance())))
                .toList();
    }

    /** Returns whether the time is up. */
    boolean isTimeUp() {
        return notes.isOutOfTime || now().deadline().isUp();
    }

    /**
     * Returns whether a move of the instance can be tried: it is not pinned, and its request is known. Otherwise notes
     * why the instance stays.
     */
    boolean mayMove(Movable movable) {
        if (movable.isPinned()) {
            notes.add(movable, Mover.Code.PINNED, "its metadata or hint says berth:pinned");
            return false;
        }
        if (movable.requests().isEmpty()) {
            // Without a request, the attempt fails and returns the reason.
            return mover.attempt(movable, List.of(), null) instanceof Mover.Stuck stuck && note(movable, stuck);
        }
        return true;
    }

    /** Notes why an instance stays; returns false. */
    private boolean note(Movable movable, Mover.Stuck stuck) {
        notes.add(movable, stuck.code(), stuck.text().isEmpty() ? "no host can take the instance" : stuck.text());
        return false;
    }

    /**
     * Moves an instance on the copy, if possible.
     *
     * @param ignored names of hosts that must not be destinations
     * @param chooser chooses one of the suitable hosts, which are sorted best first; returns null to choose none
     * @return the move; null if the instance stays (the reason is noted), no moves are left, or the time is up
     */
    @Nullable Step move(
            Movable movable, Collection<String> ignored, Function<List<RankedHost>, RankedHost> chooser) {
        if (movesLeft() <= 0 || !mayMove(movable)) {
            return null;
        }
        RankedHost chosen;
        switch (mover.attempt(movable, ignored, null)) {
            case Mover.TimeUp _ -> {
                notes.isOutOfTime = true;
                return null;
            }
            case Mover.Stuck stuck -> {
                note(movable, stuck);
                return null;
            }
            case Mover.CanMove free -> chosen = chooser.apply(free.decision().rankedHosts());
        }
        if (chosen == null) {
            notes.add(movable, Mover.Code.NO_VALID_HOST, "no suitable host brings the goal nearer");
            return null;
        }
        return moveTo(movable, chosen.host());
    }

    /**
     * Checks the instance again with this host as requested destination, as the client's {@code POST /v1/moves} will,
     * and makes the move on the copy. Returns null, and notes why, if the instance stays or the time is up.
     */
    private @Nullable Step moveTo(Movable movable, HostState host) {
        var destination = new RequestedDestination(host.host(), host.nodename(), null, false);
        switch (mover.attempt(movable, List.of(), destination)) {
            case Mover.TimeUp _ -> notes.isOutOfTime = true;
            case Mover.Stuck stuck -> note(movable, stuck);
            case Mover.CanMove free -> {
                HostState to = mover.move(movable, free, free.decision().rankedHosts().getFirst());
                Step step = new Step(movable, free.request(), to);
                steps.add(step);
                return step;
            }
        }
        return null;
    }
}
