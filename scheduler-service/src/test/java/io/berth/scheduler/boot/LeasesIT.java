package io.berth.scheduler.boot;

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
class LeasesIT {
    /** A service would look for what is due every second, and take it over. */
    @RegisterExtension
    static final OwnTables TABLES = new OwnTables();

    private final Pool pool = TABLES.pool();
    private final BootStore store = new BootStore(pool);
    private final Leases leases = new Leases(store);

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private Asked begun() {
        Asked asked = new Asked("test:" + UUID.randomUUID(), "shape", List.of(UUID.randomUUID()), false, "req-1");
        await(store.start(List.of(new Start(asked, "{}", "{\"host\":\"a\"}", null)), Leases.LEASE.toSeconds()));
        leases.begin(boot(asked).number());
        return asked;
    }

    private Boot boot(Asked asked) {
        return await(store.find(asked)).getFirst();
    }

    private void runOut(Asked asked) {
        await(pool.preparedQuery("UPDATE open_boots SET lease_until = now() - interval '1 second' WHERE key = $1")
                .execute(Tuple.of(asked.key())));
    }

    private Boot take(Asked asked) {
        return await(store.take(asked.key(), Leases.LEASE.toSeconds()));
    }

    @Test
    void aLeaseThatIsRenewedIsNotTakenOver() {
        Asked asked = begun();
        assertThat(take(asked)).as("it has an owner").isNull();
        runOut(asked);
        await(leases.renew(0));
        assertThat(take(asked)).isNull();
        assertThat(leases.count()).isEqualTo(1);
    }

    @Test
    void theNextOwnerHasAHigherNumberAndTheFormerOneRenewsNothing() {
        Asked lost = begun();
        Asked kept = begun();
        Boot before = boot(lost);
        runOut(lost);
        Boot taken = take(lost);
        assertThat(taken.number()).isGreaterThan(before.number());
        assertThat(taken.firstNumber()).as("what it claimed is still known by its first number").isEqualTo(before.number());
        runOut(lost);
        await(leases.renew(0));
        assertThat(boot(lost).isWorkedOn()).isFalse();
        assertThat(boot(kept).isWorkedOn()).isTrue();
        assertThat(leases.count()).isEqualTo(1);
    }

    @Test
    void oneThatEndsMeanwhileDoesNotComeBack() {
        Asked asked = begun();
        Uni<Void> renewing = leases.renew(0);
        leases.end(boot(asked).number());
        await(renewing);
        assertThat(leases.count()).isZero();
    }
}
