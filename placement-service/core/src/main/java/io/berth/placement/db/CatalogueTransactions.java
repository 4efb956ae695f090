package io.berth.placement.db;

import io.berth.context.CallerContext;
import io.berth.database.Deadlocks;
import io.berth.database.SqlFault;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.Function;
import org.hibernate.reactive.mutiny.Mutiny;

/**
 * Runs the transactions that change the catalogue (providers, inventories, traits, aggregates, resource classes), on
 * Hibernate's pool.
 */
@Singleton
public final class CatalogueTransactions {
    /**
     * The limit of a transaction's duration with all repetitions and waits. After this time, the outcome is unknown,
     * and the client gets 503.
     */
    private static final Duration DURATION_MAX = Duration.ofSeconds(30);

    private final Mutiny.SessionFactory sessions;
    private final HangingDatabase database;
    private final CatalogueMetrics metrics;

    CatalogueTransactions(Mutiny.SessionFactory sessions, HangingDatabase database, CatalogueMetrics metrics) {
        this.sessions = sessions;
        this.database = database;
        this.metrics = metrics;
    }

    /**
     * Runs {@code work} in a transaction. Commits if {@code work} completes, and rolls back if it fails. After a
     * deadlock or serialization failure, {@code work} is called again in another transaction, up to the limit of {@link
     * Deadlocks#repeated}. To refuse a change, {@code work} returns a refusal as its item before it writes anything.
     * Fails at once with {@link HangingDatabase#refusal} while the database hangs.
     */
    public <T> Uni<T> write(Function<CatalogueWrite, Uni<T>> work) {
        return metrics.measured(() -> database.hangs()
                ? Uni.createFrom().failure(HangingDatabase.refusal())
                : switchToEventLoop().chain(() -> writeOnEventLoop(work)));
    }

    /**
     * Switches to an event loop if necessary. Hibernate Reactive works only on event loops, but a large body is parsed
     * on a worker thread.
     */
    private static Uni<Void> switchToEventLoop() {
        Uni<Void> done = Uni.createFrom().voidItem();
        return Context.isOnEventLoopThread() ? done : done.emitOn(CallerContext.executor());
    }

    private <T> Uni<T> writeOnEventLoop(Function<CatalogueWrite, Uni<T>> work) {
        Uni<T> transaction = sessions.withStatelessTransaction(session -> work.apply(new CatalogueWrite(session)))
                .onFailure(SqlFault.DEADLOCK_OR_SERIALIZATION::isKindOf).invoke(metrics::countFailedAttempt);
        return uncancelled(Deadlocks.repeated(transaction)).ifNoItem().after(DURATION_MAX).fail();
    }

    /**
     * Lets the transaction continue if the client disconnects or {@link #DURATION_MAX} has passed, because Hibernate
     * Reactive cannot cancel a running transaction.
     */
    private static <T> Uni<T> uncancelled(Uni<T> transaction) {
        return Uni.createFrom().emitter(client -> transaction.subscribe().with(client::complete, client::fail));
    }
}
