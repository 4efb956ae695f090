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
 * Tracks whether the database hangs: it neither responds nor refuses. While it does, requests are refused at once
 * instead of each waiting until its connection times out. The fleet's query, which continues every second, detects that
 * the database hangs and that it responds again. A database that refuses needs none of this, because a refusal takes no
 * time.
 */
@Singleton
public final class HangingDatabase {
    private final Set<Runnable> asking = ConcurrentHashMap.newKeySet();
    private volatile boolean hangs;

    public boolean hangs() {
        return hangs;
    }

    /** Records that a query got no response, and fails all running queries. */
    public void hasHung() {
        hangs = true;
        asking.forEach(Runnable::run);
    }

    public void answers() {
        hangs = false;
    }

    /**
     * Runs a query that fails with {@link #refusal} as soon as the database is found to hang, and that is not sent
     * while it does. A running query continues without a listener, so it must change nothing. The result arrives on the
     * caller's Vert.x context.
     */
    public <T> Uni<T> ask(Supplier<Uni<T>> question) {
        return Uni.createFrom().emitter(emitter -> {
            Executor caller = CallerContext.executor();
            Runnable refuse = () -> caller.execute(() -> emitter.fail(refusal()));
            asking.add(refuse);
            emitter.onTermination(() -> asking.remove(refuse));
            if (hangs) {
                asking.remove(refuse);
                emitter.fail(refusal());
                return;
            }
            question.get()
                    .onTermination().invoke(() -> asking.remove(refuse))
                    .subscribe().with(emitter::complete, emitter::fail);
        });
    }

    /** Returns the failure for refused requests. */
    public static DatabaseUnavailable refusal() {
        return new DatabaseUnavailable("does not answer: it hangs");
    }
}
