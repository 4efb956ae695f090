package io.berth.scheduler.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.OwnTables;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Until when a replica may claim for a boot, by a clock that goes as the test wants; what takes it over is in the database. */
@Tag("process")
class LeasesIT {
    /** A service would look for what is due every second, and take it over. */
    @RegisterExtension
    static final OwnTables TABLES = new OwnTables();

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final AtomicLong clock = new AtomicLong();
    private final Pool pool = TABLES.pool();
    private final BootStore store = new BootStore(pool);
    private Leases leases;

    @BeforeEach
    void leasesByThatClock() {
        // It runs over in the middle of each test, as System.nanoTime may.
        clock.set(Long.MAX_VALUE - Duration.ofSeconds(12).toNanos());
        leases = new Leases(store, clock::get);
    }

    private void goOn(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    private Start begun() {
        Asked asked = new Asked("test:" + UUID.randomUUID(), "shape", List.of(UUID.randomUUID()), false, true, "req-1");
        Start start = new Start(asked, UUID.randomUUID(), "{}", "{}", "{\"host\":\"a\"}", null);
        store.start(List.of(start), Leases.LEASE.toSeconds()).await().atMost(LIMIT);
        leases.begin(start.token(), clock.get());
        return start;
    }

    private void renew() {
        leases.renew().await().atMost(LIMIT);
    }

    private void runOut(Start start) {
        pool.preparedQuery("UPDATE open_boots SET lease_until = now() - interval '1 second' WHERE key = $1")
                .execute(Tuple.of(start.asked().key())).await().atMost(LIMIT);
    }

    private boolean isTakenOver(Start start) {
        return store.take(start.asked().key(), Leases.LEASE.toSeconds(), 0).await().atMost(LIMIT) != null;
    }

    @Test
    void noClaimIsSentInTheLastPartOfALease() {
        Start start = begun();
        goOn(Leases.LEASE.minusSeconds(10).minusNanos(1));
        assertThat(leases.isSure(start.token())).isTrue();
        goOn(Duration.ofNanos(1));
        assertThat(leases.isSure(start.token())).isFalse();
    }

    @Test
    void aLeaseThatIsRenewedCountsFromBeforeItWasAskedFor() {
        Start start = begun();
        runOut(start);
        goOn(Duration.ofSeconds(19));
        CompletableFuture<Void> renewed = leases.renew().subscribeAsCompletionStage();
        goOn(Duration.ofSeconds(19));
        renewed.join();
        assertThat(leases.isSure(start.token())).isTrue();
        assertThat(isTakenOver(start)).isFalse();
        goOn(Duration.ofSeconds(1));
        assertThat(leases.isSure(start.token())).isFalse();
    }

    @Test
    void oneThatWasTakenOverClaimsNoMore() {
        Start lost = begun();
        Start kept = begun();
        runOut(lost);
        assertThat(isTakenOver(lost)).isTrue();
        goOn(Duration.ofSeconds(6));
        assertThat(leases.isSure(lost.token())).isTrue();
        renew();
        assertThat(leases.isSure(lost.token())).isFalse();
        assertThat(leases.isSure(kept.token())).isTrue();
    }

    @Test
    void oneThatEndsMeanwhileDoesNotComeBack() {
        Start start = begun();
        goOn(Duration.ofSeconds(6));
        Uni<Void> renewing = leases.renew();
        leases.end(start.token());
        renewing.await().atMost(LIMIT);
        assertThat(leases.isSure(start.token())).isFalse();
    }
}
