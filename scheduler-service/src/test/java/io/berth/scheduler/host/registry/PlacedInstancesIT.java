package io.berth.scheduler.host.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.host.registry.PlacedInstances.Placed;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class PlacedInstancesIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** PostgreSQL's text takes no character of code 0. */
    private static final String UNWRITABLE = "{\"host\":\"\\u0000\"}";

    @Inject
    PlacedInstances instances;

    @Inject
    RegistryFeed feed;

    @Inject
    Pool pool;

    private static Placed on(String host, UUID... uuids) {
        return new Placed(
                uuids, Stream.of(uuids).map(ignored -> "{\"host\":\"" + host + "\"}").toArray(String[]::new));
    }

    private CompletableFuture<Void> add(Placed placed) {
        return instances.add(placed).subscribeAsCompletionStage();
    }

    private String hostOf(UUID instance) {
        RegisteredInstance found = feed.current().await().atMost(LIMIT).findInstance(instance);
        return found == null ? null : found.host();
    }

    @Test
    void requestsOfTheSameMomentShareACommit() {
        List<UUID> uuids = Stream.generate(UUID::randomUUID).limit(60).toList();
        List<CompletableFuture<Void>> added = uuids.stream().map(uuid -> add(on("together", uuid))).toList();
        added.forEach(CompletableFuture::join);

        assertThat(uuids).allSatisfy(uuid -> assertThat(hostOf(uuid)).isEqualTo("together"));
        long commits = pool.preparedQuery("SELECT count(DISTINCT xid) FROM registry_changes WHERE uuid = ANY($1)")
                .execute(Tuple.of(uuids.toArray(UUID[]::new)))
                .map(rows -> rows.iterator().next().getLong(0))
                .await().atMost(LIMIT);
        assertThat(commits).isLessThan(60);
    }

    @Test
    void oneThatCannotBeWrittenFailsNobodyElse() {
        UUID good = UUID.randomUUID();
        UUID bad = UUID.randomUUID();
        UUID alsoGood = UUID.randomUUID();
        // The first occupies the connection, so that the next three go together.
        var first = add(on("first", UUID.randomUUID()));
        var before = add(on("a", good));
        var refused = add(new Placed(new UUID[] {bad}, new String[] {UNWRITABLE}));
        var after = add(on("b", alsoGood));
        CompletableFuture.allOf(first, before, after).join();

        assertThat(refused.handle((done, failure) -> failure).join()).hasMessageContaining("22P05");
        assertThat(hostOf(good)).isEqualTo("a");
        assertThat(hostOf(alsoGood)).isEqualTo("b");
        assertThat(hostOf(bad)).isNull();
    }

    @Test
    void theLastOfTwoRequestsForTheSameInstanceCounts() {
        UUID twice = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        var all = Uni.join().all(List.of(
                        instances.add(on("first", UUID.randomUUID())),
                        instances.add(on("before", twice)),
                        instances.add(on("after", other, twice))))
                .andFailFast();
        all.await().atMost(LIMIT);

        assertThat(hostOf(twice)).isEqualTo("after");
        assertThat(hostOf(other)).isEqualTo("after");
    }
}
