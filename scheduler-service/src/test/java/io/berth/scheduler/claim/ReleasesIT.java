package io.berth.scheduler.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ReleasesIT {
    private static final AllocationRequest ONE = new AllocationRequest(Map.of("a", Map.of("VCPU", 1L)), Map.of());

    @Inject
    PendingReleaseStore pending;

    @Inject
    Pool pool;

    @Inject
    Vertx vertx;

    private final InMemoryPlacement placement = new InMemoryPlacement().with("a", 5).with("b", 5);
    private final Consumer consumer = new Consumer(UUID.randomUUID(), "project", "user", "req-1");

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private Releases releases() {
        return new Releases(placement, pending);
    }

    private void claimOn(AllocationRequest request) {
        assertThat(await(placement.putAllocations(consumer.claimAnew(request), "req-1")))
                .isInstanceOf(ClaimResult.Claimed.class);
    }

    private long recorded() {
        return await(pool.preparedQuery("SELECT count(*) FROM pending_releases WHERE consumer = $1")
                        .execute(Tuple.of(consumer.uuid())))
                .iterator().next().getLong(0);
    }

    private void makeOld(int seconds) {
        await(pool.preparedQuery("UPDATE pending_releases SET next_at = now() - interval '1 second',"
                        + " recorded_at = now() - make_interval(secs => $2) WHERE consumer = $1")
                .execute(Tuple.of(consumer.uuid(), (double) seconds)));
    }

    @Test
    void takesAClaimBackAtOnceAndRecordsNothing() {
        claimOn(ONE);
        await(releases().releaseAll(List.of(new Made(consumer, ONE))));
        assertThat(placement.heldBy(consumer.uuid())).isEmpty();
        assertThat(recorded()).isZero();
    }

    @Test
    void recordsWhatItCannotTakeBackAndTakesItBackLater() {
        claimOn(ONE);
        placement.unreadable();
        await(releases().releaseAll(List.of(new Made(consumer, ONE))));
        assertThat(recorded()).isEqualTo(1);
        assertThat(placement.heldBy(consumer.uuid())).isEqualTo(ONE.allocations());

        placement.readableAgain();
        makeOld(1);
        await(new ReleaseRetries(releases(), pending, vertx).run());
        assertThat(placement.heldBy(consumer.uuid())).isEmpty();
        assertThat(recorded()).isZero();
    }

    @Test
    void leavesANewerClaimOfTheSameConsumerAlone() {
        AllocationRequest newer = new AllocationRequest(Map.of("b", Map.of("VCPU", 2L)), Map.of());
        claimOn(newer);
        await(releases().recordForLater(new Made(consumer, ONE)));
        await(new ReleaseRetries(releases(), pending, vertx).run());
        assertThat(placement.heldBy(consumer.uuid())).isEqualTo(newer.allocations());
        assertThat(recorded()).isZero();
    }

    @Test
    void looksAgainForAClaimThatIsAbsentUntilItCannotCommitAnyMore() {
        await(releases().recordForLater(new Made(consumer, ONE)));
        makeOld(1);
        await(new ReleaseRetries(releases(), pending, vertx).run());
        assertThat(recorded()).isEqualTo(1);
        claimOn(ONE);
        makeOld(10);
        await(new ReleaseRetries(releases(), pending, vertx).run());
        assertThat(placement.heldBy(consumer.uuid())).isEmpty();
        assertThat(recorded()).isZero();

        await(releases().recordForLater(new Made(consumer, ONE)));
        makeOld(121);
        await(new ReleaseRetries(releases(), pending, vertx).run());
        assertThat(recorded()).isZero();
    }

    @Test
    void settlesWhatIsLeftBeforeTheConsumerClaimsAnew() {
        claimOn(ONE);
        await(releases().recordForLater(new Made(consumer, ONE)));
        placement.unreadable();
        assertThat(await(releases().settle(List.of(consumer.uuid()), "req-2"))).isFalse();
        assertThat(recorded()).isEqualTo(1);
        placement.readableAgain();
        assertThat(await(releases().settle(List.of(consumer.uuid()), "req-3"))).isTrue();
        assertThat(placement.heldBy(consumer.uuid())).isEmpty();
        assertThat(recorded()).isZero();
    }
}
