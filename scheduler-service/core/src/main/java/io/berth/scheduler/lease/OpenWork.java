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
 * Finishes records that were left open by any replica: every second, the due records of each kind one after the
 * other. It also removes old closed records.
 */
@Singleton
public class OpenWork {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration PRUNE_EVERY = Duration.ofHours(1);
    private static final int PER_RUN_MAX = 100;
    private static final Duration AFTER_LOSS = Duration.ofMillis(100);
    /** No retry begins later than this. */
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

    /** Works until no record is due, or {@value #PER_RUN_MAX} were worked on. */
    public static Uni<Void> run(OpenRecords kind) {
        return Uni.createFrom().deferred(kind::workOnOne)
                .repeat().atMost(PER_RUN_MAX)
                .select().first(worked -> worked)
                .onItem().ignoreAsUni();
    }

    /** Prunes until fewer records than the limit were removed. */
    static Uni<Void> prune(OpenRecords kind) {
        return Uni.createFrom().deferred(kind::prune)
                .repeat().whilst(removed -> removed >= OpenRecords.PRUNED_TOGETHER_MAX)
                .onItem().ignoreAsUni();
    }

    /**
     * Runs a statement on a record after another one without a response, with retries: the pool may return the broken
     * connection again.
     */
    public static <T> Uni<T> afterLoss(Uni<T> statement) {
        return statement
                .onFailure().retry().withBackOff(AFTER_LOSS).expireIn(AFTER_LOSS_MAX.toMillis())
                .emitOn(CallerContext.executor());
    }

    /** Returns the seconds until a record that could not be finished is due again. */
    public static double pauseSeconds(int attempts) {
        return Math.min(FIRST_PAUSE_SECONDS * Math.pow(2, Math.min(attempts, 10)), PAUSE_SECONDS_MAX);
    }
}
