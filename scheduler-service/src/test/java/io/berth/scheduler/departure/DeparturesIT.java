package io.berth.scheduler.departure;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.departure.DepartureStore.Turn;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Several replicas that compare what is registered with placement, on a real PostgreSQL. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class DeparturesIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Inject
    DepartureStore store;

    @Inject
    Pool pool;

    private final InMemoryPlacement placement = new InMemoryPlacement();

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(LIMIT);
    }

    private UUID register(boolean declared) {
        UUID instance = UUID.randomUUID();
        await(pool.preparedQuery("INSERT INTO instances (uuid, body, declared) VALUES ($1, '{\"host\": \"a\"}', $2)")
                .execute(Tuple.of(instance, declared)));
        return instance;
    }

    private boolean isRegistered(UUID instance) {
        return await(pool.preparedQuery("SELECT FROM instances WHERE uuid = $1").execute(Tuple.of(instance))).size() > 0;
    }

    /** The service under test compares, too. */
    private Turn turn(double leaseSeconds) throws InterruptedException {
        Turn[] turn = new Turn[1];
        eventually("a turn", () -> (turn[0] = await(store.turn(leaseSeconds))) != null);
        return turn[0];
    }

    @Test
    void oneReplicaComparesAtATimeAndAnotherGoesOnWhenItIsGone() throws InterruptedException {
        UUID instance = register(true);
        Turn first = turn(3_600);
        assertThat(await(store.turn(3_600))).isNull();
        // Its lease is over.
        await(pool.query("UPDATE comparison SET due_at = now()").execute());
        Turn next = turn(3_600);
        await(store.ended(first, List.of(instance), List.of(), "late", new UUID(1, 1), 0));
        assertThat(await(pool.preparedQuery("SELECT FROM departures WHERE instance = $1").execute(Tuple.of(instance))).size())
                .isZero();
        assertThat(await(store.turn(3_600))).isNull();
        await(store.ended(next, List.of(), List.of(), null, next.comparedUntil(), 0));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = $1").execute(Tuple.of(instance)));
    }

    @Test
    void twoReplicasUnregisterWhatHoldsNothingButNotWhatWasDeclared() throws InterruptedException {
        UUID gone = register(false);
        UUID declared = register(true);
        Departures one = new Departures(store, placement, 50, Duration.ofSeconds(30));
        Departures two = new Departures(store, placement, 50, Duration.ofSeconds(30));
        Runnable both = () -> await(Uni.join().all(one.workOnOne(), two.workOnOne()).andFailFast());
        eventually("gone", () -> {
            both.run();
            return !isRegistered(gone);
        });
        assertThat(isRegistered(declared)).isTrue();
        assertThat(await(store.lastPlace(gone))).isEqualTo(new Place("a", null));
        assertThat(await(store.lastPlace(declared))).isNull();
    }

    @Test
    void whatSomebodyWroteSinceStays() {
        UUID instance = register(true);
        await(pool.preparedQuery("UPDATE instances SET version = version + 1 WHERE uuid = $1").execute(Tuple.of(instance)));
        assertThat(await(store.depart(instance, 0))).isFalse();
        assertThat(await(store.forget(instance, 0L)).isDone()).isFalse();
        assertThat(isRegistered(instance)).isTrue();
        assertThat(await(store.forget(instance, 1L)).isDone()).isTrue();
        assertThat(isRegistered(instance)).isFalse();
    }
}
