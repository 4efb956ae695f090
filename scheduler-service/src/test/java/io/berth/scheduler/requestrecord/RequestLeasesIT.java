package io.berth.scheduler.requestrecord;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.OwnTables;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Until when a replica owns a record. */
@Tag("process")
class RequestLeasesIT {
    /** A service would look for what is due every second, and take it over. */
    @RegisterExtension
    static final OwnTables TABLES = new OwnTables();

    private final Pool pool = TABLES.pool();
    private final RequestRecordStore store = new RequestRecordStore(pool);
    private final RequestLeases leases = new RequestLeases(store);

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private IdempotencyKey begun() {
        IdempotencyKey requestKey = new IdempotencyKey("test:" + UUID.randomUUID(), "fingerprint",
                List.of(UUID.randomUUID()), false, "req-1");
        await(store.start(List.of(new RecordStart(requestKey, "{}", "{\"host\":\"a\"}", null)),
                RequestLeases.LEASE.toSeconds()));
        leases.begin(boot(requestKey).ownerFirstNumber());
        return requestKey;
    }

    private RequestRecord boot(IdempotencyKey requestKey) {
        return await(store.find(requestKey)).getFirst();
    }

    private void runOut(IdempotencyKey requestKey) {
        await(pool.preparedQuery("UPDATE request_leases SET lease_until = now() - interval '1 second' WHERE key = $1")
                .execute(Tuple.of(requestKey.key())));
    }

    private RequestRecord take(IdempotencyKey requestKey) {
        return await(store.take(requestKey.key(), RequestLeases.LEASE.toSeconds()));
    }

    @Test
    void aLeaseThatIsRenewedIsNotTakenOver() {
        IdempotencyKey requestKey = begun();
        assertThat(take(requestKey)).as("it has an owner").isNull();
        runOut(requestKey);
        await(leases.renew(0));
        assertThat(take(requestKey)).isNull();
        assertThat(leases.count()).isEqualTo(1);
    }

    @Test
    void theNextOwnerHasAHigherNumberAndTheFormerOneRenewsNothing() {
        IdempotencyKey lost = begun();
        IdempotencyKey kept = begun();
        RequestRecord before = boot(lost);
        runOut(lost);
        RequestRecord taken = take(lost);
        assertThat(taken.ownerFirstNumber()).isGreaterThan(before.ownerFirstNumber());
        assertThat(taken.requestFirstNumber()).as("what it claimed is still known by its first number")
                .isEqualTo(before.ownerFirstNumber());
        runOut(lost);
        await(leases.renew(0));
        assertThat(boot(lost).isWorkedOn()).isFalse();
        assertThat(boot(kept).isWorkedOn()).isTrue();
        assertThat(leases.count()).isEqualTo(1);
    }

    @Test
    void oneThatEndsMeanwhileDoesNotComeBack() {
        IdempotencyKey requestKey = begun();
        Uni<Void> renewing = leases.renew(0);
        leases.end(boot(requestKey).ownerFirstNumber());
        await(renewing);
        assertThat(leases.count()).isZero();
    }
}
