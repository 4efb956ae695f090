package io.berth.scheduler.groupreservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.host.Place;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Writes the new hosts of instances to their records, unless a record has changed or has a claim in flight. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class MemberStoreIT {
    @Inject
    MemberStore store;

    @Inject
    Pool pool;

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private void execute(String sql, Object... params) {
        await(pool.preparedQuery(sql).execute(Tuple.from(params)));
    }

    private UUID instance() {
        UUID uuid = UUID.randomUUID();
        execute("INSERT INTO instances (uuid, body) VALUES ($1, '{\"host\": \"a\", \"project_id\": \"p\"}')", uuid);
        return uuid;
    }

    private Map<UUID, Long> versions(UUID... instances) {
        return await(store.versions(Set.of(instances)));
    }

    private int writePlace(UUID instance, Map<UUID, Long> versions) {
        return await(store.writePlaces(Map.of(instance, new Place("b", "n")), versions));
    }

    private String body(UUID instance) {
        return await(pool.preparedQuery("SELECT body::text FROM instances WHERE uuid = $1").execute(Tuple.of(instance)))
                .iterator().next().getString(0);
    }

    @Test
    void writesTheNewHostOfAnInstance() {
        UUID instance = instance();
        Map<UUID, Long> versions = versions(instance, UUID.randomUUID());
        assertThat(versions).containsOnlyKeys(instance);
        assertThat(writePlace(instance, versions)).isOne();
        assertThat(body(instance)).isEqualTo("{\"host\": \"b\", \"nodename\": \"n\", \"project_id\": \"p\"}");
        assertThat(versions(instance).get(instance)).isEqualTo(versions.get(instance) + 1);
        assertThat(writePlace(UUID.randomUUID(), versions)).as("an instance without a record is not written").isZero();
    }

    /** The instance was moved meanwhile, possibly to the same host. */
    @Test
    void keepsARecordThatWasWrittenMeanwhile() {
        UUID instance = instance();
        Map<UUID, Long> versions = versions(instance);
        execute("UPDATE instances SET version = version + 1 WHERE uuid = $1", instance);
        assertThat(writePlace(instance, versions)).isZero();
        assertThat(body(instance)).contains("\"a\"");
    }

    @Test
    void keepsARecordWhoseClaimIsInFlight() {
        UUID instance = instance();
        String key = "test:" + instance;
        execute("INSERT INTO request_records (key, fingerprint, instances, request_id) VALUES ($1, '', $2, 'req')",
                key, new UUID[] {instance});
        execute("INSERT INTO request_instances (instance, key) VALUES ($1, $2)", instance, key);
        execute("INSERT INTO request_leases (key, lease_until) VALUES ($1, now() + interval '1 day')", key);
        assertThat(writePlace(instance, versions(instance))).isZero();
        execute("DELETE FROM request_leases WHERE key = $1", key);
        assertThat(writePlace(instance, versions(instance))).isOne();
    }
}
