package io.berth.placement.db;

import io.berth.context.CallerContext;
import io.berth.database.DatabaseUnavailable;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Records whether the database hangs, that is whether queries get neither a response nor an error. While the database
 * hangs, requests are refused at once, instead of waiting until their connections time out. The query of {@code
 * fleet.FleetFeed}, which runs at least every second, detects that the database hangs, and later that the database
 * responds again. Thread-safe.
 */
@Singleton
public final class HangingDatabase {
    /** For each running query, an action that fails the result of the query. */
    private final Set<Runnable> refusals = ConcurrentHashMap.newKeySet();
    private volatile boolean hangs;

    public boolean hangs() {
        return hangs;
    }

    /**
     * Records that the database hangs, and fails the results of all queries that {@link #run} runs. {@code
     * fleet.FleetFeed} calls this.
     */
    public void recordHang() {
        hangs = true;
        refusals.forEach(Runnable::run);
    }

    /** Records that the database responds. {@code fleet.FleetFeed} calls this. */
    public void recordResponse() {
        hangs = false;
    }

    /**
     * Runs a query. While the database hangs, the query is not sent, and the result fails with {@link #refusal}. If the
     * database is found to hang while the query runs, the result fails in the same way, on the caller's Vert.x context.
     * The query is not cancelled then, so a statement that writes may still take effect.
     */
    public <T> Uni<T> run(Supplier<Uni<T>> query) {
        return Uni.createFrom().emitter(emitter -> {
            Executor caller = CallerContext.executor();
            Runnable refuse = () -> caller.execute(() -> emitter.fail(refusal()));
            refusals.add(refuse);
            emitter.onTermination(() -> refusals.remove(refuse));
            if (hangs) {
                refusals.remove(refuse);
                emitter.fail(refusal());
                return;
            }
            query.get()
                    .onTermination().invoke(() -> refusals.remove(refuse))
                    .subscribe().with(emitter::complete, emitter::fail);
        });
    }

    /** Returns the failure for requests that are refused while the database hangs; clients get 503. */
    public static DatabaseUnavailable refusal() {
        return new DatabaseUnavailable("does not answer: it hangs");
    }
}
