package io.berth.scheduler.lease;

import io.berth.context.CallerContext;
import io.berth.context.Recurring;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/**
 * Finishes what was left open, whoever began it: every second, one record of a kind after the other. Old
 * records go, too.
 */
@Singleton
public class OpenWork {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration PRUNE_EVERY = Duration.ofHours(1);
    private static final int PER_RUN_MAX = 100;
    private static final Duration AFTER_LOSS = Duration.ofMillis(100);
    /** No attempt begins later. */
    private static final Duration AFTER_LOSS_MAX = Duration.ofSeconds(1);
    private static final double FIRST_PAUSE_SECONDS = 1;
    private static final double PAUSE_SECONDS_MAX = 30;

    private final List<OpenRecords> kinds;

    OpenWork(@All List<OpenRecords> kinds) {
        this.kinds = kinds;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        for (OpenRecords kind : kinds) {
            recurring.every(EVERY, () -> run(kind), "open " + kind.name() + " not worked off");
            recurring.every(PRUNE_EVERY, () -> prune(kind), kind.name() + " not pruned");
        }
    }

    /** Until none is due, or {@value #PER_RUN_MAX} were looked at. */
    public static Uni<Void> run(OpenRecords kind) {
        return Uni.createFrom().deferred(kind::workOnOne)
                .repeat().atMost(PER_RUN_MAX)
                .select().first(worked -> worked)
                .onItem().ignoreAsUni();
    }

    /** Until few are left that could be removed. */
    static Uni<Void> prune(OpenRecords kind) {
        return Uni.createFrom().deferred(kind::prune)
                .repeat().whilst(removed -> removed >= OpenRecords.PRUNED_TOGETHER_MAX)
                .onItem().ignoreAsUni();
    }

    /** What is to be said of a record behind a statement without an answer: the pool may give the lost connection again. */
    public static <T> Uni<T> afterLoss(Uni<T> statement) {
        return statement
                .onFailure().retry().withBackOff(AFTER_LOSS).expireIn(AFTER_LOSS_MAX.toMillis())
                .emitOn(CallerContext.executor());
    }

    /** Until a record that could not be finished is due again. */
    public static double pauseSeconds(int attempts) {
        return Math.min(FIRST_PAUSE_SECONDS * Math.pow(2, Math.min(attempts, 10)), PAUSE_SECONDS_MAX);
    }
}
