package io.berth.scheduler.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.Written;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.trace.DecisionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Transaction;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the table of decision records, in particular when something fails. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class RecordStoreIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final double LONG_SECONDS = 1e6;

    @Inject
    RecordStore store;

    @Inject
    Pool pool;

    @Inject
    Vertx vertx;

    @BeforeEach
    void begins() {
        // Restores the state after the migration, whatever other tests did.
        for (int part = 0; part < RecordOptions.PARTS; part++) {
            for (String table : List.of("decisions", "decision_contents")) {
                run("CREATE TABLE IF NOT EXISTS %1$s_%2$d PARTITION OF %1$s FOR VALUES IN (%2$d)"
                        .formatted(table, part));
            }
        }
        run("TRUNCATE decisions, decision_contents");
        run("UPDATE decision_parts SET records = 0, ended_at = NULL, begun_at = CASE part WHEN 0 THEN now() END");
    }

    private void run(String statement) {
        await(pool.query(statement).execute());
    }

    private static <T> T await(Uni<T> work) {
        return work.await().atMost(LIMIT);
    }

    private int count(String table) {
        return await(pool.query("SELECT count(*)::int AS count FROM " + table).execute())
                .iterator().next().getInteger("count");
    }

    private int current() {
        return await(pool.query("SELECT part FROM decision_parts WHERE begun_at IS NOT NULL AND ended_at IS NULL")
                .execute())
                .iterator().next().getInteger("part");
    }

    private static DecisionRow row(String host) {
        return row(host, "{\"kind\":\"select\"}".getBytes(StandardCharsets.UTF_8));
    }

    private static DecisionRow row(String host, byte[] body) {
        return new DecisionRow(
                DecisionId.at(System.currentTimeMillis()), "select", "selected", "p", null, null,
                List.of(UUID.randomUUID()), List.of(host), null, body, null);
    }

    private static DecisionRow row(int number, List<HostState> offered) {
        return new DecisionRow(
                DecisionId.at(System.currentTimeMillis()), "select", "selected", "p", null, null,
                List.of(UUID.randomUUID()), List.of("h"), number % 2 == 0 ? null : text("request " + number),
                text("body " + number), OfferedHosts.of(offered, null));
    }

    private static DecisionRow rowWithRequest(long millis, int requestBytes) {
        return new DecisionRow(
                DecisionId.at(millis), "select", "selected", "p", null, null, List.of(UUID.randomUUID()), List.of("h"),
                new byte[requestBytes], text("{}"), null);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<DecisionRow> rows(int count) {
        return Stream.generate(() -> row("h")).limit(count).toList();
    }

    private static RecordSearch onHost(String host) {
        return new RecordSearch(null, null, host, null, null, null, null, null, 10);
    }

    @Test
    void omitsRequestsBeyondTheSizeLimitAtTheFarEnd() {
        int third = (int) (RecordStore.SELECTIONS_BYTES_MAX / 3);
        List<DecisionRow> rows = IntStream.range(0, 5).mapToObj(i -> rowWithRequest(i, third)).toList();
        rows.forEach(row -> await(store.write(List.of(row))));

        List<RecordedSelection> latest = await(store.selections(null, 4));
        assertThat(latest).extracting(RecordedSelection::id)
                .containsExactlyElementsOf(rows.subList(1, 5).stream().map(DecisionRow::id).toList());
        assertThat(latest).extracting(each -> each.body() != null).containsExactly(false, true, true, true);
        assertThat(latest).extracting(RecordedSelection::isOmitted).containsExactly(true, false, false, false);

        List<RecordedSelection> since = await(store.selections(Instant.EPOCH, 4));
        assertThat(since).extracting(RecordedSelection::id)
                .containsExactlyElementsOf(rows.subList(0, 4).stream().map(DecisionRow::id).toList());
        assertThat(since).extracting(RecordedSelection::isOmitted).containsExactly(false, false, false, true);
    }

    @Test
    void findsRecordsWithSpecialCharactersInNames() {
        String odd = "a\"b\\c,{d} é😀";
        DecisionRow written = row(odd);
        await(store.write(List.of(written, row("other"))));

        DecisionRow found = await(store.find(written.id()));
        assertThat(found.hosts()).containsExactly(odd);
        assertThat(found.instances()).isEqualTo(written.instances());
        assertThat(found.body()).isEqualTo(written.body());
        assertThat(found.request()).isNull();
        assertThat(await(store.list(onHost(odd))).records()).extracting(DecisionRow::id).containsExactly(written.id());
    }

    @Test
    void separatesRecordsThatWereWrittenTogether() {
        List<HostState> hosts =
                IntStream.range(0, 300).mapToObj(number -> Written.host("host: 'host-" + number + "'")).toList();
        Random random = new Random(7);
        List<List<HostState>> offered = IntStream.range(0, 40)
                .mapToObj(number -> number % 5 == 4
                        ? hosts
                        : hosts.stream().filter(_ -> random.nextInt(40) < number).toList())
                .toList();
        List<DecisionRow> written =
                IntStream.range(0, 40).mapToObj(number -> row(number, offered.get(number))).toList();
        DecisionRecords records = records(new RecordOptions(Duration.ofDays(1), 1_000_000), store);
        written.forEach(records::add);
        await(records.flush());

        assertThat(count("decision_contents")).isEqualTo(1);
        for (int number = 0; number < 40; number++) {
            DecisionRow found = await(store.find(written.get(number).id()));
            assertThat(found.body()).isEqualTo(text("body " + number));
            assertThat(found.request()).isEqualTo(number % 2 == 0 ? null : text("request " + number));
            if (offered.get(number).isEmpty()) {
                assertThat(found.offered()).isNull();
                continue;
            }
            assertThat(hosts.stream().filter(host -> found.offered().contains(host.host())).toList())
                    .isEqualTo(offered.get(number));
        }
        assertThat(await(store.list(onHost("h"))).records()).extracting(DecisionRow::body)
                .containsExactlyInAnyOrderElementsOf(written.stream()
                        .sorted(Comparator.comparing(DecisionRow::id, RecordStoreIT::inOrder).reversed())
                        .limit(10).map(DecisionRow::body).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"rounds\":[", "\"warnings\":[", "\"prefilters\":[", "\"placement\":{"})
    void listsOnlyTheHeadOfALongBody(String member) {
        String head = "{\"kind\":\"select\",\"detail\":\"é \\\"rounds\\\":[\"," + member;
        DecisionRow written = row(member, text(head + "0,".repeat(100_000) + "\"rounds\":[0]}"));
        await(store.write(List.of(row("other"), written)));

        assertThat(await(store.list(onHost(member))).records()).extracting(DecisionRow::body)
                .containsExactly(text(head));
        assertThat(await(store.find(written.id())).body()).isEqualTo(written.body());
    }

    /** Compares uuids byte by byte, as PostgreSQL does. */
    private static int inOrder(UUID one, UUID other) {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    }

    @Test
    void findsRecordsOfAnInstanceAmongSeveral() {
        List<UUID> several = Stream.generate(UUID::randomUUID).limit(3).toList();
        DecisionRow ofSeveral = new DecisionRow(
                DecisionId.at(System.currentTimeMillis()), "select", "selected", "p", null, null, several, List.of("h"),
                null, text("body"), null);
        DecisionRow ofTheLast = new DecisionRow(
                DecisionId.at(System.currentTimeMillis() + 1), "move", "selected", "p", null, null,
                several.subList(2, 3), List.of("h"), null, text("body"), null);
        await(store.write(List.of(ofSeveral, ofTheLast, row("h"))));

        assertThat(await(store.list(about(several.get(1)))).records()).extracting(DecisionRow::id)
                .containsExactly(ofSeveral.id());
        assertThat(await(store.list(about(several.get(2)))).records()).extracting(DecisionRow::id)
                .containsExactly(ofTheLast.id(), ofSeveral.id());
        assertThat(await(store.list(about(UUID.randomUUID()))).records()).isEmpty();
    }

    /** The record that is newest by time, not by the order of writing, is found with its body and its request. */
    @Test
    void findsTheNewestRecordOfAnInstance() {
        List<UUID> several = Stream.generate(UUID::randomUUID).limit(3).toList();
        long now = System.currentTimeMillis();
        DecisionRow newest = of(now + 1, several, text("newest"));
        await(store.write(List.of(newest, of(now, several.subList(0, 1), text("older")), rowWithRequest(now + 2, 3))));

        for (UUID instance : several) {
            DecisionRow found = await(store.newestOf(instance));
            assertThat(found.id()).isEqualTo(newest.id());
            assertThat(found.body()).isEqualTo(newest.body());
            assertThat(found.request()).isEqualTo(newest.request());
        }
        assertThat(await(store.newestOf(UUID.randomUUID()))).isNull();
    }

    private static DecisionRow of(long millis, List<UUID> instances, byte[] request) {
        return new DecisionRow(
                DecisionId.at(millis), "select", "selected", "p", null, null, instances, List.of("h"), request,
                text("body of " + millis), null);
    }

    private static RecordSearch about(UUID instance) {
        return new RecordSearch(instance, null, null, null, null, null, null, null, 10);
    }

    @Test
    void continuesInTheNextPartitionOnceOneIsFull() {
        await(store.write(rows(3)));
        assertThat(await(store.rotatePartition(4, LONG_SECONDS))).isFalse();
        await(store.write(rows(3)));
        assertThat(await(store.rotatePartition(4, LONG_SECONDS))).isTrue();
        await(store.write(rows(2)));

        assertThat(count("decisions_0")).isEqualTo(6);
        assertThat(count("decisions_1")).isEqualTo(2);
    }

    @Test
    void truncatesAPartitionWhenItIsUsedAgain() {
        DecisionRow first = row("h");
        await(store.write(List.of(first)));
        for (int part = 0; part < RecordOptions.PARTS; part++) {
            assertThat(await(store.rotatePartition(1, LONG_SECONDS))).isTrue();
            await(store.write(rows(1)));
        }

        assertThat(current()).isZero();
        assertThat(await(store.find(first.id()))).isNull();
        assertThat(count("decisions")).isEqualTo(RecordOptions.PARTS);
    }

    @Test
    void concurrentRotationsEndAPartitionOnce() {
        await(store.write(rows(5)));
        List<Boolean> turned = await(Uni.join().all(
                store.rotatePartition(5, LONG_SECONDS), store.rotatePartition(5, LONG_SECONDS),
                store.rotatePartition(5, LONG_SECONDS)).andFailFast());

        assertThat(turned).containsExactlyInAnyOrder(true, false, false);
        assertThat(current()).isEqualTo(1);
    }

    @Test
    void doesNotEndAPartitionThatBeganAfterTheTransaction() {
        int due = await(pool.withTransaction(older -> older.query("SELECT 1").execute()
                .chain(() -> store.write(rows(5)))
                .chain(() -> store.rotatePartition(5, LONG_SECONDS))
                .chain(() -> older.preparedQuery(RecordStore.PARTITION_TO_END).execute(Tuple.of(5L, LONG_SECONDS)))
                .map(full -> full.size())));

        assertThat(due).isZero();
        assertThat(current()).isEqualTo(1);
    }

    @Test
    void losesNoRecordWhilePartitionsRotate() {
        DecisionRecords records = records(new RecordOptions(Duration.ofDays(1), RecordOptions.PARTS * 4L), store);
        List<DecisionRow> all = rows(20);
        all.forEach(records::add);
        await(records.flush());

        assertThat(all).allSatisfy(row -> assertThat(await(store.find(row.id()))).isNotNull());
        assertThat(current()).isPositive();
    }

    @Test
    void keepsWritingWhileTheNextPartitionIsLockedAndRotatesLater() {
        DecisionRecords records = records(new RecordOptions(Duration.ofDays(1), RecordOptions.PARTS * 4L), store);
        SqlConnection backup = await(pool.getConnection());
        Transaction reading = await(backup.begin());
        await(backup.query("LOCK TABLE decisions_1 IN ACCESS SHARE MODE").execute());
        for (int i = 0; i < 5; i++) {
            List<DecisionRow> some = rows(4);
            some.forEach(records::add);
            await(records.flush());
            assertThat(some).allSatisfy(row -> assertThat(await(store.find(row.id()))).isNotNull());
        }
        assertThat(current()).isZero();
        await(reading.rollback());
        await(backup.close());

        await(records.rotatePartitions());
        assertThat(current()).isEqualTo(1);
    }

    @Test
    void expiresOldPartitionsOneAtATime() {
        for (int i = 0; i < 3; i++) {
            await(store.write(rows(1)));
            await(store.rotatePartition(1, LONG_SECONDS));
        }
        run("UPDATE decision_parts SET ended_at = now() - make_interval(secs => 100 - part) WHERE ended_at IS NOT"
                + " NULL");

        assertThat(await(store.expire(99))).isTrue();
        assertThat(count("decisions_0")).isZero();
        assertThat(count("decision_contents_0")).isZero();
        assertThat(count("decisions")).isEqualTo(2);
        assertThat(await(store.expire(99))).isTrue();
        assertThat(await(store.expire(99))).isFalse();
        assertThat(count("decisions_2")).isEqualTo(1);
    }

    @Test
    void aReplicaWithoutRecordsDoesNotEndPartitionsOfOthers() {
        await(store.write(rows(3)));
        await(records(new RecordOptions(Duration.ofDays(1), 0), store).rotatePartitions());

        assertThat(current()).isZero();
    }

    /** Applies after records were switched off. */
    @Test
    void aReplicaWithoutRecordsExpiresTheLastOnes() {
        await(store.write(rows(3)));
        DecisionRecords records = records(new RecordOptions(Duration.ofDays(1), 0), store);
        run("UPDATE decision_parts SET begun_at = now() - interval '1 day' WHERE part = 0");
        await(records.rotatePartitions());
        assertThat(count("decisions")).isEqualTo(3);
        run("UPDATE decision_parts SET ended_at = now() - interval '1 day' WHERE ended_at IS NOT NULL");
        await(records.rotatePartitions());
        assertThat(count("decisions")).isZero();
    }

    @Test
    void disablesInsertVacuumOnEveryPartition() {
        run("DROP TABLE decisions_1");
        await(store.write(rows(1)));
        await(store.rotatePartition(1, LONG_SECONDS));

        assertThat(await(pool.query("""
                        SELECT count(*) FROM pg_class
                         WHERE oid IN ('decisions_1'::regclass, 'decision_contents_9'::regclass)
                           AND 'autovacuum_vacuum_insert_threshold=-1' = ANY (reloptions)
                        """).execute()).iterator().next().getInteger("count")).isEqualTo(2);
    }

    @Test
    void endsAPartitionThatBeganBeforeTheClockWasSetBack() {
        await(store.write(rows(1)));
        run("UPDATE decision_parts SET begun_at = now() + interval '10 days' WHERE part = 0");

        assertThat(await(store.rotatePartition(100, LONG_SECONDS))).isTrue();
        assertThat(current()).isEqualTo(1);
        assertThat(await(store.rotatePartition(100, LONG_SECONDS))).isFalse();
    }

    @Test
    void recreatesADroppedPartition() {
        run("DROP TABLE decisions_0");
        DecisionRow row = row("h");
        DecisionRecords records = records(new RecordOptions(Duration.ofDays(1), 1_000_000), store);
        records.add(row);
        await(records.flush());
        assertThat(await(store.find(row.id()))).isNotNull();

        run("DROP TABLE decisions_1, decision_contents_1");
        await(store.write(rows(1)));
        assertThat(await(store.rotatePartition(1, LONG_SECONDS))).isTrue();
        await(store.write(rows(1)));
        assertThat(count("decisions_1")).isEqualTo(1);
        assertThat(count("decision_contents_1")).isEqualTo(1);
    }

    @Test
    void dropsAndCountsRecordsThatTheDatabaseRefuses() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        DecisionRecords records =
                new DecisionRecords(store, new RecordOptions(Duration.ofDays(1), 1_000_000), vertx, meters);
        run("ALTER TABLE decisions RENAME TO decisions_away");
        try {
            records.add(row("h"));
            records.add(row("h"));
            await(records.flush());
        } finally {
            run("ALTER TABLE decisions_away RENAME TO decisions");
        }
        assertThat(dropped(meters, "not_written")).isEqualTo(2);

        DecisionRow later = row("later");
        records.add(later);
        await(records.flush());
        assertThat(await(store.find(later.id()))).isNotNull();
    }

    @Test
    void dropsAndCountsRecordsThatExceedTheBuffer() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        DecisionRecords records =
                new DecisionRecords(store, new RecordOptions(Duration.ofDays(1), 1_000_000), vertx, meters);
        byte[] large = new byte[(int) (Runtime.getRuntime().maxMemory() / 64 / 3)];
        for (int i = 0; i < 5; i++) {
            records.add(row("large", large));
        }
        assertThat(dropped(meters, "no_room")).isGreaterThanOrEqualTo(2);
        await(records.flush());
        assertThat(await(store.list(onHost("large"))).records().size() + dropped(meters, "no_room")).isEqualTo(5);
        assertThat(meters.get("berth.decisions.unwritten.bytes").gauge().value()).isZero();
    }

    @Test
    void writesBufferedRecordsWhenTheServiceStops() {
        DecisionRecords records = records(new RecordOptions(Duration.ofDays(1), 1_000_000), store);
        List<DecisionRow> all = rows(50);
        all.forEach(records::add);
        records.stop(null);

        assertThat(count("decisions")).isEqualTo(50);
    }

    private DecisionRecords records(RecordOptions options, RecordStore where) {
        return new DecisionRecords(where, options, vertx, new SimpleMeterRegistry());
    }

    private static double dropped(SimpleMeterRegistry meters, String cause) {
        return meters.get("berth.decisions.dropped").tag("cause", cause).counter().count();
    }
}
