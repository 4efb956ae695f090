package io.berth.scheduler.boot;

import io.berth.scheduler.claim.Releases;
import io.berth.scheduler.lease.OpenRecords;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * Finishes boots that were left open: what came about as planned is placed, anything else is taken back. A boot of which
 * a claim may still commit stays open, and is looked at again until none can.
 */
@Singleton
class BootUndo implements OpenRecords {
    private static final Logger LOG = Logger.getLogger(BootUndo.class);
    /** As long as an orchestrator may ask again; what an instance holds is placement's to say. */
    private static final Duration KEEP = Duration.ofDays(1);

    private final BootStore store;
    private final Releases releases;
    private final PlacementClient placement;

    BootUndo(BootStore store, Releases releases, PlacementClient placement) {
        this.store = store;
        this.releases = releases;
        this.placement = placement;
    }

    /** What the taking back came to. */
    enum Outcome {
        DONE,
        /** A claim may still commit: the boot is open, and worked on by nobody. */
        IN_DOUBT,
        /** Placement cannot be asked; so is the boot. */
        NOT_NOW
    }

    @Override
    public String name() {
        return "boots";
    }

    @Override
    public Uni<Boolean> workOnOne() {
        return store.takeDue(Leases.LEASE.toSeconds(), Leases.CLAIM_MAY_COMMIT.toSeconds())
                .chain(boot -> boot == null
                        ? Uni.createFrom().item(false)
                        : finish(boot).replaceWith(true));
    }

    @Override
    public Uni<Integer> prune() {
        return store.prune(KEEP.toSeconds(), PRUNED_TOGETHER_MAX);
    }

    private Uni<Void> finish(Boot boot) {
        if (boot.answer() == null) {
            return undo(boot).replaceWithVoid();
        }
        return holds(boot, true).chain(holding -> switch (holding) {
            case AS_ANSWERED -> {
                LOG.infof("boot found placed key=%s request=%s", boot.key(), boot.requestId());
                // Not while a release of it may still commit.
                yield store.seenAsPlanned(boot).chain(seen -> seen ? Uni.createFrom().voidItem() : later(boot));
            }
            case NOT_KNOWN -> later(boot);
            // A claim that may still commit is the planned one, and its caller may have been answered.
            case NOTHING, SOMETHING_ELSE -> boot.inDoubt() ? later(boot) : undo(boot).replaceWithVoid();
        });
    }

    private Uni<Void> later(Boot boot) {
        return later(boot, Releases.Outcome.AGAIN);
    }

    /** @param came of the attempt to take back what it holds */
    Uni<Void> later(Boot boot, Releases.Outcome came) {
        return store.postpone(boot.key(), boot.token(), 0, OpenWork.pauseSeconds(boot.attempts()), false, came);
    }

    /** What the instances of a boot hold. */
    enum Holding {
        AS_ANSWERED,
        NOTHING,
        SOMETHING_ELSE,
        NOT_KNOWN
    }

    /**
     * Compared with the boot's answer, if it has one.
     *
     * @param amongOthers whether they may hold other things beside; else they were moved since
     */
    Uni<Holding> holds(Boot boot, boolean amongOthers) {
        List<Map<String, Map<String, Long>>> told = boot.answer() == null ? null : Answer.allocations(boot.answer());
        return Multi.createFrom().range(0, boot.instances().size())
                .onItem().transformToUniAndConcatenate(index -> placement
                        .getAllocations(boot.instances().get(index), boot.requestId())
                        .map(answer -> switch (answer) {
                            case AllocationsAnswer.Unreachable _ -> Holding.NOT_KNOWN;
                            case AllocationsAnswer.Held held when held.allocations().isEmpty() -> Holding.NOTHING;
                            case AllocationsAnswer.Held held -> told != null
                                    && held.allocations().entrySet().containsAll(told.get(index).entrySet())
                                    && (amongOthers || held.allocations().size() == told.get(index).size())
                                            ? Holding.AS_ANSWERED
                                            : Holding.SOMETHING_ELSE;
                        }))
                .collect().asList()
                .map(each -> each.contains(Holding.NOT_KNOWN)
                        ? Holding.NOT_KNOWN
                        : each.stream().distinct().count() == 1 ? each.getFirst() : Holding.SOMETHING_ELSE);
    }

    /**
     * Takes back what its instances hold of it, and its registrations.
     *
     * @param boot open, with the caller's token; afterwards the token is gone
     */
    Uni<Outcome> undo(Boot boot) {
        return takeBack(boot)
                .chain(came -> came == Releases.Outcome.DONE
                        ? store.takenBack(boot.key(), boot.token(), 0, OpenWork.pauseSeconds(boot.attempts()))
                                .map(stays -> stays ? Outcome.IN_DOUBT : Outcome.DONE)
                        : later(boot, came).replaceWith(Outcome.NOT_NOW))
                .invoke(outcome -> LOG.infof(
                        "boot reverted key=%s request=%s attempt=%d outcome=%s",
                        boot.key(), boot.requestId(), boot.attempts(), outcome));
    }

    /**
     * While it has its answer nothing but what was planned has been tried; else whatever is of its size counts. The record
     * stays as it is.
     */
    Uni<Releases.Outcome> takeBack(Boot boot) {
        return boot.answer() != null ? takeBackAsAnswered(boot, boot.answer()) : takeBack(boot, each -> held -> each.kept().isEmpty()
                ? boot.resources().contains(Resources.of(held)) || each.late().contains(Resources.of(held))
                : held.entrySet().containsAll(each.kept().entrySet()));
    }

    /** As {@link #takeBack(Boot)}, from those alone that hold just what the answer says. */
    Uni<Releases.Outcome> takeBackAsAnswered(Boot boot, String answer) {
        List<Map<String, Map<String, Long>>> told = Answer.allocations(answer);
        return takeBack(boot, each -> {
            int index = boot.instances().indexOf(each.instance());
            Map<String, Map<String, Long>> claimed = new HashMap<>(index < told.size() ? told.get(index) : Map.of());
            claimed.putAll(each.kept());
            return claimed::equals;
        });
    }

    private Uni<Releases.Outcome> takeBack(
            Boot boot, Function<Boot.Owned, Predicate<Map<String, Map<String, Long>>>> isOurs) {
        return store.owned(boot).chain(owned -> Multi.createFrom().iterable(owned)
                .onItem().transformToUniAndConcatenate(each -> releases.takeBack(
                        each.instance(), isOurs.apply(each), each.kept(), () -> store.mayRelease(boot.token()), boot.requestId()))
                .collect().asList()
                .map(Releases.Outcome::of));
    }
}
