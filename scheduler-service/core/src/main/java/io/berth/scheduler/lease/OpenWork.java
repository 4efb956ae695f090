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
 * Finishes records of requests that were left open, no matter which replica began them. Processes the due records of
 * each kind every second, independently of the other kinds; removes old closed records every hour.
 */
@Singleton
public class OpenWork {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration PRUNE_EVERY = Duration.ofHours(1);
    /** Maximum records of one kind that a run processes; the next run continues. */
    private static final int PER_RUN_MAX = 100;
    /** First pause before a retry in {@link #retryAfterLoss}; each further pause is longer. */
    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);
    /** No retry begins later than this after the first attempt. */
    private static final Duration RETRY_MAX = Duration.ofSeconds(1);
    private static final double FIRST_PAUSE_SECONDS = 1;
    private static final double PAUSE_SECONDS_MAX = 30;

    private final List<OpenRecords> kinds;

    OpenWork(@All List<OpenRecords> kinds) {
        this.kinds = kinds;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        for (OpenRecords kind : kinds) {
            recurring.every(EVERY, () -> run(kind), "open " + kind.name() + " not processed");
            recurring.every(PRUNE_EVERY, () -> prune(kind), kind.name() + " not pruned");
        }
    }

    /**
     * Processes due records one after the other until none is due, but at most {@value #PER_RUN_MAX}. Stops and fails
     * at the first record that fails; the next run processes the others.
     */
    public static Uni<Void> run(OpenRecords kind) {
        return Uni.createFrom().deferred(kind::processDue)
                .repeat().atMost(PER_RUN_MAX)
                // Stops at the first false: no further record is due.
                .select().first(worked -> worked)
                .onItem().ignoreAsUni();
    }

    /** Removes old closed records until a call removes fewer than {@link OpenRecords#PRUNED_TOGETHER_MAX}. */
    static Uni<Void> prune(OpenRecords kind) {
        return Uni.createFrom().deferred(kind::prune)
                .repeat().whilst(removed -> removed >= OpenRecords.PRUNED_TOGETHER_MAX)
                .onItem().ignoreAsUni();
    }

    /**
     * Runs a statement after an earlier statement had no response, perhaps because its connection broke. Retries the
     * statement for about a second, because the pool may return the broken connection once more. Completes on the
     * caller's Vert.x context.
     */
    public static <T> Uni<T> retryAfterLoss(Uni<T> statement) {
        return statement
                .onFailure().retry().withBackOff(RETRY_PAUSE).expireIn(RETRY_MAX.toMillis())
                .emitOn(CallerContext.executor());
    }

    /**
     * Returns the pause in seconds until a record that could not be finished is due again: 1 s, doubled for each
     * earlier failed attempt, at most 30 s.
     *
     * @param attempts failed attempts before this one
     */
    public static double pauseSeconds(int attempts) {
        return Math.min(FIRST_PAUSE_SECONDS * Math.pow(2, Math.min(attempts, 10)), PAUSE_SECONDS_MAX);
    }
}
