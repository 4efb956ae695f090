package io.berth.placement.db;

import io.berth.context.Recurring;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/**
 * A startup probe: the service counts as started once a trial transaction has succeeded. The trial transaction runs
 * each {@link QueryWarmUp} and changes nothing; it is repeated every second until it succeeds. The first transaction of
 * a process is slow, so it should not be a client's.
 */
@Startup
@Singleton
public final class CatalogueStarted implements HealthCheck {
    private final CatalogueTransactions transactions;
    private final List<QueryWarmUp> warmUps;
    private volatile boolean isStarted;

    CatalogueStarted(CatalogueTransactions transactions, @All List<QueryWarmUp> warmUps) {
        this.transactions = transactions;
        this.warmUps = warmUps;
    }

    void start(@Observes StartupEvent event, Recurring recurring) {
        tryOnce().subscribe().with(done -> {});
        recurring.every(Duration.ofSeconds(1), this::tryAgain, "catalogue transaction not run");
    }

    /** Runs the transaction unless it has succeeded before. */
    private Uni<Void> tryAgain() {
        return isStarted ? Uni.createFrom().voidItem() : tryOnce();
    }

    private Uni<Void> tryOnce() {
        return transactions
                .write(write -> Multi.createFrom().iterable(warmUps)
                        .onItem().transformToUniAndConcatenate(warmUp -> warmUp.warmUp(write).replaceWith(true))
                        .collect().asList())
                .invoke(done -> isStarted = true)
                .replaceWithVoid()
                .onFailure().recoverWithNull();
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("catalogue").status(isStarted).build();
    }
}
