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

/** Tests how replicas renew and lose the leases of request records. */
@Tag("process")
class RequestLeasesIT {
    /** Tables without a service, which would take expired leases over every second. */
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
        leases.begin(recordOf(requestKey).ownerFirstNumber());
        return requestKey;
    }

    private RequestRecord recordOf(IdempotencyKey requestKey) {
        return await(store.find(requestKey)).getFirst();
    }

    private void expire(IdempotencyKey requestKey) {
        await(pool.preparedQuery("UPDATE request_leases SET lease_until = now() - interval '1 second' WHERE key = $1")
                .execute(Tuple.of(requestKey.key())));
    }

    private RequestRecord take(IdempotencyKey requestKey) {
        return await(store.take(requestKey.key(), RequestLeases.LEASE.toSeconds()));
    }

    @Test
    void doesNotTakeOverARenewedLease() {
        IdempotencyKey requestKey = begun();
        assertThat(take(requestKey)).as("it has an owner").isNull();
        expire(requestKey);
        await(leases.renew(0));
        assertThat(take(requestKey)).isNull();
        assertThat(leases.count()).isEqualTo(1);
    }

    @Test
    void aNewOwnerGetsAHigherNumberAndTheFormerOneCannotRenew() {
        IdempotencyKey lost = begun();
        IdempotencyKey kept = begun();
        RequestRecord before = recordOf(lost);
        expire(lost);
        RequestRecord taken = take(lost);
        assertThat(taken.ownerFirstNumber()).isGreaterThan(before.ownerFirstNumber());
        assertThat(taken.requestFirstNumber()).as("its claims are still found by the first number")
                .isEqualTo(before.ownerFirstNumber());
        expire(lost);
        await(leases.renew(0));
        assertThat(recordOf(lost).isWorkedOn()).isFalse();
        assertThat(recordOf(kept).isWorkedOn()).isTrue();
        assertThat(leases.count()).isEqualTo(1);
    }

    @Test
    void aLeaseThatEndsDuringARenewalStaysEnded() {
        IdempotencyKey requestKey = begun();
        Uni<Void> renewing = leases.renew(0);
        leases.end(recordOf(requestKey).ownerFirstNumber());
        await(renewing);
        assertThat(leases.count()).isZero();
    }
}
