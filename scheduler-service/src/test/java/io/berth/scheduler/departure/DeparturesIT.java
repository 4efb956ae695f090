package io.berth.scheduler.departure;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.boot.Boots;
import io.berth.scheduler.departure.DepartureStore.Due;
import io.berth.scheduler.departure.DepartureStore.Forgotten;
import io.berth.scheduler.departure.DepartureStore.Registered;
import io.berth.scheduler.departure.DepartureStore.Turn;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.move.Move;
import io.berth.scheduler.move.MoveKind;
import io.berth.scheduler.move.MoveState;
import io.berth.scheduler.move.MoveStore;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ReleasedAnswer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several replicas that compare what is registered with placement, on a real PostgreSQL. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class DeparturesIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Inject
    DepartureStore store;

    @Inject
    Boots boots;

    @Inject
    MoveStore moves;

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

    private Forgotten forget(UUID instance, long version) {
        return await(store.forget(List.of(new Due(instance, version)))).get(instance);
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
    void whatIsNotedInTheMiddleOfATurnIsLostWithTheTurnAlone() throws InterruptedException {
        UUID noted = register(true);
        UUID late = register(true);
        Turn first = turn(3_600);
        await(store.suspected(first, List.of(noted, UUID.randomUUID()), 3_600));
        assertThat(await(store.turn(3_600))).isNull();
        await(pool.query("UPDATE comparison SET due_at = now()").execute());
        Turn next = turn(3_600);
        await(store.suspected(first, List.of(late), 0));
        assertThat(await(store.turn(3_600))).isNull();
        assertThat(
                await(pool.preparedQuery("SELECT instance FROM departures WHERE instance = ANY($1)")
                        .execute(Tuple.of(new UUID[] {noted, late}))))
                .extracting(row -> row.getUUID("instance")).containsExactly(noted);
        await(store.ended(next, List.of(), List.of(), null, next.comparedUntil(), 0));
        await(pool.preparedQuery("DELETE FROM departures WHERE instance = $1").execute(Tuple.of(noted)));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = ANY($1)").execute(Tuple.of(new UUID[] {noted, late})));
    }

    @Test
    void thousandsToldAtOnceAllGo() throws InterruptedException {
        List<UUID> gone = Stream.generate(UUID::randomUUID).limit(2_500).toList();
        UUID[] all = gone.toArray(UUID[]::new);
        await(pool.preparedQuery("""
                        INSERT INTO instances (uuid, body, declared)
                        SELECT unnest($1::uuid[]), '{"host": "many"}', false""").execute(Tuple.of(all)));
        PlacementClient tellsAll = new InMemoryPlacement() {
            @Override
            public Uni<ReleasedAnswer> releasedSince(String since, String requestId) {
                return Uni.createFrom().item(new ReleasedAnswer.Told("until", true, gone));
            }
        };
        Departures departures = new Departures(store, tellsAll, 0, Duration.ofSeconds(30));
        eventually("all gone", () -> {
            await(departures.workOnOne());
            return await(pool.preparedQuery("SELECT FROM instances WHERE uuid = ANY($1)").execute(Tuple.of(all))).size() == 0;
        });
        await(pool.preparedQuery("DELETE FROM departures WHERE instance = ANY($1)").execute(Tuple.of(all)));
    }

    @Test
    void whatSomebodyWroteSinceStays() {
        UUID instance = register(true);
        await(pool.preparedQuery("UPDATE instances SET version = version + 1 WHERE uuid = $1").execute(Tuple.of(instance)));
        assertThat(await(store.depart(List.of(new Due(instance, 0L))))).isEmpty();
        assertThat(forget(instance, 0).isDone()).isFalse();
        assertThat(isRegistered(instance)).isTrue();
        assertThat(forget(instance, 1).isDone()).isTrue();
        assertThat(isRegistered(instance)).isFalse();
    }

    /** While it is handed over it holds nothing; without a host for it everything is as before. */
    @Test
    void whatWasOnTheMoveWhenItHeldNothingStays() {
        UUID instance = register(false);
        Move asked = Move.of(UUID.randomUUID(), instance, MoveKind.COLD, UUID.randomUUID(), Map.of(), "req-1");
        Move move = await(moves.start(asked, 3_600));
        await(pool.preparedQuery("INSERT INTO departures (instance) VALUES ($1)").execute(Tuple.of(instance)));
        List<Due> due = List.of(new Due(instance, await(store.registered(List.of(instance))).get(instance).version()));
        await(moves.end(move, MoveState.FAILED));
        assertThat(await(store.depart(due))).isEmpty();
        assertThat(await(store.forget(due)).get(instance).isDone()).isFalse();
        assertThat(isRegistered(instance)).isTrue();
        await(pool.preparedQuery("DELETE FROM departures WHERE instance = $1").execute(Tuple.of(instance)));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = $1").execute(Tuple.of(instance)));
    }

    @Test
    void thoseThatHoldNothingAreJudgedOneByOneToo() {
        UUID goes = register(false);
        UUID changed = register(false);
        UUID moves = register(false);
        UUID unknown = UUID.randomUUID();
        await(pool.preparedQuery("UPDATE instances SET version = version + 1 WHERE uuid = $1").execute(Tuple.of(changed)));
        await(pool.preparedQuery("INSERT INTO open_boots (key, lease_until) VALUES ($1, now())")
                .execute(Tuple.of(moves.toString())));
        for (UUID each : List.of(goes, changed, moves, unknown)) {
            await(pool.preparedQuery("INSERT INTO boot_instances (instance, key) VALUES ($1, $2)")
                    .execute(Tuple.of(each, each.toString())));
            await(pool.preparedQuery("INSERT INTO departures (instance, due_at) VALUES ($1, now() + interval '1 hour')")
                    .execute(Tuple.of(each)));
        }
        assertThat(
                await(store.depart(List.of(
                        new Due(goes, 0L), new Due(changed, 0L), new Due(moves, 0L), new Due(unknown, 0L)))))
                .containsExactly(goes);
        assertThat(isRegistered(goes)).isFalse();
        assertThat(await(store.lastPlace(goes))).isEqualTo(new Place("a", null));
        assertThat(isRegistered(changed)).isTrue();
        assertThat(isRegistered(moves)).isTrue();
        assertThat(await(store.registered(List.of(goes, moves)))).isEqualTo(Map.of(
                goes, new Registered(null, false), moves, new Registered(0L, true)));
        await(pool.preparedQuery("DELETE FROM open_boots WHERE key = $1").execute(Tuple.of(moves.toString())));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = ANY($1)").execute(Tuple.of(new UUID[] {changed, moves})));
        await(pool.preparedQuery("DELETE FROM departures WHERE instance = ANY($1)")
                .execute(Tuple.of(new UUID[] {goes, changed, moves, unknown})));
    }

    @Test
    void thoseOfOneStatementAreJudgedOneByOne() {
        UUID goes = register(true);
        UUID changed = register(true);
        UUID placedNow = register(false);
        UUID unknown = UUID.randomUUID();
        await(pool.preparedQuery("UPDATE instances SET version = version + 1 WHERE uuid = $1").execute(Tuple.of(changed)));
        await(pool.preparedQuery("INSERT INTO open_boots (key, lease_until) VALUES ($1, now())")
                .execute(Tuple.of(placedNow.toString())));
        for (UUID each : List.of(goes, changed, placedNow, unknown)) {
            await(pool.preparedQuery("INSERT INTO boot_instances (instance, key) VALUES ($1, $2)")
                    .execute(Tuple.of(each, each.toString())));
        }
        assertThat(await(store.registered(List.of(goes, changed, placedNow, unknown)))).isEqualTo(Map.of(
                goes, new Registered(0L, false), changed, new Registered(1L, false),
                placedNow, new Registered(0L, true), unknown, new Registered(null, false)));
        assertThat(
                await(store.forget(List.of(
                        new Due(goes, 0L), new Due(changed, 0L), new Due(placedNow, 0L), new Due(unknown, null)))))
                .isEqualTo(Map.of(
                        goes, new Forgotten(true, false), changed, new Forgotten(false, false),
                        placedNow, new Forgotten(false, false), unknown, new Forgotten(true, false)));
        assertThat(List.of(goes, changed, placedNow)).map(this::isRegistered).containsExactly(false, true, true);
        assertThat(await(pool.preparedQuery("SELECT FROM boot_instances WHERE instance = ANY($1)")
                .execute(Tuple.of(new UUID[] {goes, changed, placedNow, unknown}))).size()).isEqualTo(2);
        await(pool.preparedQuery("DELETE FROM open_boots WHERE key = $1").execute(Tuple.of(placedNow.toString())));
    }

    @Test
    void deletionsOfTheSameMomentShareACommit() {
        var deletion = new InstanceDeletion(store, boots, placement);
        List<UUID> instances = Stream.generate(() -> register(true)).limit(60).toList();
        Tuple uuids = Tuple.of(instances.toArray(UUID[]::new));
        await(pool.preparedQuery("DELETE FROM registry_changes WHERE uuid = ANY($1)").execute(uuids));
        List<Boolean> known = await(Uni.join()
                .all(instances.stream().map(each -> deletion.remove(each, null, "req-1")).toList())
                .andFailFast());
        assertThat(known).hasSize(60).containsOnly(true);
        long commits = await(pool.preparedQuery("SELECT count(DISTINCT xid) FROM registry_changes WHERE uuid = ANY($1)")
                .execute(uuids))
                .iterator().next().getLong(0);
        assertThat(commits).isBetween(1L, 59L);
        assertThat(instances).noneMatch(this::isRegistered);
    }
}
