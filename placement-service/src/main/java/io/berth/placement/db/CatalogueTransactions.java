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

/** Runs administrators' changes of the catalogue, each in a transaction, on Hibernate's pool. */
@Singleton
public final class CatalogueTransactions {
    /**
     * The limit includes waits for a connection and for locks; after it the outcome is unknown and the client gets 503.
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
     * Commits if {@code work} returns an item, rolls back if it fails. {@code work} is repeated after a deadlock or
     * serialization failure. To refuse a change without an exception, {@code work} returns the refusal as the item
     * before it writes anything.
     */
    public <T> Uni<T> write(Function<CatalogueWrite, Uni<T>> work) {
        return metrics.measured(() -> database.hangs()
                ? Uni.createFrom().failure(HangingDatabase.refusal())
                : onEventLoop().chain(() -> written(work)));
    }

    /** Continues on an event loop. Hibernate works only there, but a large body was parsed on another thread. */
    private static Uni<Void> onEventLoop() {
        Uni<Void> here = Uni.createFrom().voidItem();
        return Context.isOnEventLoopThread() ? here : here.emitOn(CallerContext.executor());
    }

    private <T> Uni<T> written(Function<CatalogueWrite, Uni<T>> work) {
        Uni<T> transaction = sessions.withStatelessTransaction(session -> work.apply(new CatalogueWrite(session)))
                .onFailure(SqlFault.DEADLOCK_OR_SERIALIZATION::isIn).invoke(metrics::raced);
        return toItsEnd(Deadlocks.repeated(transaction)).ifNoItem().after(DURATION_MAX).fail();
    }

    /** Lets the transaction continue even if the client leaves: Hibernate cannot stop in the middle of one. */
    private static <T> Uni<T> toItsEnd(Uni<T> transaction) {
        return Uni.createFrom().emitter(client -> transaction.subscribe().with(client::complete, client::fail));
    }
}
