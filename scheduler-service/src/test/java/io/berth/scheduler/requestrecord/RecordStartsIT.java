package io.berth.scheduler.requestrecord;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Await;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Transaction;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the start and the rollback of request records, against PostgreSQL. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class RecordStartsIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** PostgreSQL's text type rejects the character with code 0. */
    private static final String UNWRITABLE = "{\"host\":\"\\u0000\"}";

    @Inject
    RequestRecordStore store;

    @Inject
    RegistryFeed feed;

    @Inject
    Pool pool;

    private static RecordStart on(String host, UUID... uuids) {
        return start("{\"host\":\"" + host + "\"}", uuids);
    }

    private static RecordStart start(String registration, UUID... uuids) {
        IdempotencyKey requestKey =
                new IdempotencyKey("test:" + UUID.randomUUID(), "fingerprint", List.of(uuids), false, "req-1");
        return new RecordStart(requestKey, "{}", registration, null);
    }

    private Uni<Long> owned(RecordStart start) {
        return store.begin(start).map(begun -> begun == RequestRecordStore.NewRecord.NONE ? -1 : begun.owned());
    }

    private CompletableFuture<Long> write(RecordStart start) {
        return owned(start).subscribeAsCompletionStage();
    }

    private String hostOf(UUID instance) {
        RegisteredInstance found = feed.current().await().atMost(LIMIT).findInstance(instance);
        return found == null ? null : found.host();
    }

    private void rollBack(RecordStart start) {
        long number = store.find(start.key()).await().atMost(LIMIT).getFirst().ownerFirstNumber();
        store.deleteRolledBack(start.key().key(), number).await().atMost(LIMIT);
    }

    @Test
    void concurrentRequestsShareCommits() {
        List<UUID> uuids = Stream.generate(UUID::randomUUID).limit(60).toList();
        List<CompletableFuture<Long>> written = uuids.stream().map(uuid -> write(on("together", uuid))).toList();
        assertThat(written.stream().map(CompletableFuture::join)).containsOnly(1L);

        assertThat(uuids).allSatisfy(uuid -> assertThat(hostOf(uuid)).isEqualTo("together"));
        long commits = pool.preparedQuery("SELECT count(DISTINCT xid) FROM registry_changes WHERE uuid = ANY($1)")
                .execute(Tuple.of(uuids.toArray(UUID[]::new)))
                .map(rows -> rows.iterator().next().getLong(0))
                .await().atMost(LIMIT);
        assertThat(commits).isLessThan(60);
    }

    @Test
    void aRecordThatCannotBeWrittenDoesNotAffectOthers() {
        UUID good = UUID.randomUUID();
        UUID bad = UUID.randomUUID();
        UUID alsoGood = UUID.randomUUID();
        // The first occupies the connection, so that the next three go together.
        var first = write(on("first", UUID.randomUUID()));
        var before = write(on("a", good));
        var refused = write(start(UNWRITABLE, bad));
        var after = write(on("b", alsoGood));
        CompletableFuture.allOf(first, before, after).join();

        assertThat(refused.handle((done, failure) -> failure).join()).hasMessageContaining("22P05");
        assertThat(hostOf(good)).isEqualTo("a");
        assertThat(hostOf(alsoGood)).isEqualTo("b");
        assertThat(hostOf(bad)).isNull();
    }

    @Test
    void theFirstOfTwoRequestsOwnsTheInstance() {
        UUID twice = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        List<Long> owned = Uni.join()
                .all(List.of(
                        owned(on("first", UUID.randomUUID())),
                        owned(on("before", twice)),
                        owned(on("after", other, twice))))
                .andFailFast()
                .await().atMost(LIMIT);
        assertThat(owned).containsExactly(1L, 1L, 1L);
        assertThat(hostOf(twice)).isEqualTo("before");
    }

    @Test
    void refusesASecondStartUntilTheFirstIsRolledBack() {
        UUID instance = UUID.randomUUID();
        RecordStart first = on("a", instance);
        assertThat(write(first).join()).isEqualTo(1);
        RecordStart second = new RecordStart(first.key(), null, "{\"host\":\"b\"}", null);
        assertThat(write(second).join()).isEqualTo(-1);
        assertThat(hostOf(instance)).isEqualTo("a");
        rollBack(first);
        assertThat(hostOf(instance)).isNull();
        assertThat(write(second).join()).isEqualTo(1);
        assertThat(hostOf(instance)).isEqualTo("b");
    }

    @Test
    void restoresTheEarlierRegistrationUnlessItChangedSince() {
        UUID restored = UUID.randomUUID();
        UUID edited = UUID.randomUUID();
        for (UUID instance : List.of(restored, edited)) {
            execute(pool, "INSERT INTO instances (uuid, body) VALUES ($1, '{\"host\": \"operators\"}')", instance);
        }
        RecordStart one = on("planned", restored);
        RecordStart two = on("planned", edited);
        write(one).join();
        write(two).join();
        assertThat(hostOf(restored)).isEqualTo("planned");
        execute(pool, """
                UPDATE instances SET body = '{"host": "edited"}', version = version + 1 WHERE uuid = $1""", edited);
        rollBack(one);
        rollBack(two);
        assertThat(hostOf(restored)).isEqualTo("operators");
        assertThat(hostOf(edited)).isEqualTo("edited");
    }

    /**
     * The record of a request is inserted while a move of the instance is reverted: the statement's snapshot is older
     * than the end of the move, which registers the instance.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void restoresARegistrationThatWasWrittenSinceTheSnapshot(boolean isRegisteredBefore) {
        UUID instance = UUID.randomUUID();
        if (isRegisteredBefore) {
            execute(pool, "INSERT INTO instances (uuid, body) VALUES ($1, '{\"host\": \"target\"}')", instance);
        }
        RecordStart start = on("planned", instance);
        SqlConnection other = pool.getConnection().await().atMost(LIMIT);
        Transaction move = other.begin().await().atMost(LIMIT);
        execute(other, "INSERT INTO request_instances (instance, key) VALUES ($1, 'move:other')", instance);
        CompletableFuture<Long> written = write(start);
        Await.eventually("the record waits for the end of the move", () -> PostgresForTests
                .countWaitingForLock("INSERT INTO request_records (key, fingerprint, instances, answer") > 0);
        execute(other, """
                INSERT INTO instances (uuid, body) VALUES ($1, '{"host": "source"}')
                ON CONFLICT (uuid) DO UPDATE SET body = excluded.body, version = instances.version + 1""", instance);
        execute(other, "DELETE FROM request_instances WHERE instance = $1", instance);
        move.commit().await().atMost(LIMIT);
        other.close().await().atMost(LIMIT);

        assertThat(written.join()).isEqualTo(1);
        assertThat(hostOf(instance)).isEqualTo("planned");
        rollBack(start);
        assertThat(hostOf(instance)).isEqualTo("source");
    }

    private static void execute(SqlClient client, String sql, UUID instance) {
        client.preparedQuery(sql).execute(Tuple.of(instance)).await().atMost(LIMIT);
    }
}
