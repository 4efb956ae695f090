package io.berth.scheduler.record;

import io.berth.scheduler.host.registry.instance.NameLookup;
import io.berth.scheduler.host.registry.instance.NamedInstance;
import io.berth.scheduler.trace.DecisionId;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Stores decision records in two partitioned tables: {@code decisions} has a row per record, {@code decision_contents}
 * a row per INSERT with the bodies of all its records. At a time, one partition of each table is written. When the
 * partition is full or old enough, the oldest one is emptied and written next. The table {@code decision_parts} has a
 * row per partition number.
 */
@Singleton
class RecordStore {
    /** Makes the transaction fail if it waits more than two seconds for a lock, such as a reader's on a partition. */
    private static final String LOCK_BRIEFLY = "SET LOCAL lock_timeout = '2s'";

    /** The partitioned tables; their partitions have the same numbers. */
    private static final List<String> TABLES = List.of("decisions", "decision_contents");

    /**
     * Creates a partition; formatted with the name of the table and the number of the partition. Rows are only added
     * until the partition is emptied, so autovacuum has nothing to do.
     */
    private static final String PARTITION = """
            CREATE TABLE %1$s_%2$d PARTITION OF %1$s FOR VALUES IN (%2$d)
              WITH (autovacuum_vacuum_insert_threshold = -1, toast.autovacuum_vacuum_insert_threshold = -1,
                    autovacuum_analyze_scale_factor = 1)
            """;

    /** The condition for the partition that is being written. */
    private static final String CURRENT = "begun_at IS NOT NULL AND ended_at IS NULL";

    /**
     * Writes a batch of records. Params, one element per record: 1 ids, 2 kinds, 3 results, 4 projects, 5 flavors, 6
     * instances and 7 hosts as texts of arrays, 8 starts in the content, 9 lengths of bodies, 10 of considered hosts,
     * 11 of requests, 15 names of instances. Params of the batch: 12 id, 13 hashes of hosts, 14 content. Returns
     * {@code part} (the number of the partition), {@code records} (its number of records, these included) and
     * {@code seconds} (its age). Zero rows: the partition has just ended, and nothing was written. Commits
     * asynchronously, so a crash of the server may lose the records of the last second.
     */
    static final String WRITE = """
            WITH behind AS (SELECT set_config('synchronous_commit', 'off', true)),
            current AS (
                UPDATE decision_parts SET records = records + cardinality($1::uuid[]) FROM behind
                 WHERE %s
                RETURNING part, records, EXTRACT(epoch FROM now() - begun_at)::float8 AS seconds),
            contents AS (
                INSERT INTO decision_contents (part, id, hosts, content)
                SELECT part, $12::uuid, $13::bytea, $14::bytea FROM current),
            written AS (
                INSERT INTO decisions (part, id, kind, result, project, flavor, name, instances, hosts,
                                       contents, start, body_size, offered_size, request_size)
                SELECT current.part, made.id, made.kind, made.result, made.project, made.flavor, made.name,
                       made.instances::uuid[], made.hosts::text[], $12::uuid, made.start, made.body, made.offered,
                           made.request
                  FROM current, unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                      $7::text[],
                                       $8::int4[], $9::int4[], $10::int4[], $11::int4[], $15::text[])
                       AS made(id, kind, result, project, flavor, instances, hosts, start, body, offered, request,
                           name))
            SELECT part, records, seconds FROM current
            """.formatted(CURRENT);

    /**
     * Returns the number of the current partition and locks its row, if the partition must end. Params: 1 number of
     * records at which it ends, 2 age in seconds at which it ends if it has any records. It also ends if it was begun
     * in the future because a clock was set back. That condition needs clock_timestamp(): now() is the start of this
     * transaction, which may be before another replica began the partition. Zero rows: the partition need not end. The
     * lock keeps other replicas from also ending the partition.
     */
    static final String PARTITION_TO_END = """
            SELECT part FROM decision_parts
             WHERE %s
               AND (records >= $1 OR records > 0
                   AND now() - begun_at >= make_interval(secs => $2) OR begun_at > clock_timestamp())
               FOR UPDATE
            """.formatted(CURRENT);

    /** Ends the current partition and begins the next one. Params: 1 partition that ends, 2 partition that begins. */
    static final String BEGIN_NEXT_PARTITION = """
            UPDATE decision_parts
               SET begun_at = CASE part WHEN $2 THEN now() ELSE begun_at END,
                   ended_at = CASE part WHEN $1 THEN now() END,
                   records = CASE part WHEN $2 THEN 0 ELSE records END
             WHERE part IN ($1, $2)
            """;

    /**
     * Returns the number of one expired partition, and locks its row: the partition with records that ended first, at
     * least $1 seconds ago, and that no other replica has locked. Params: 1 minimum seconds since the end. Zero rows:
     * there is no such partition. Returns only one, so that few records are removed if a clock is wrong for a while.
     */
    static final String EXPIRED = """
            SELECT part FROM decision_parts
             WHERE records > 0 AND now() - ended_at >= make_interval(secs => $1)
             ORDER BY ended_at LIMIT 1
               FOR UPDATE SKIP LOCKED
            """;

    /** Sets the number of records of an emptied partition to 0. Params: 1 partition. */
    static final String FORGET = "UPDATE decision_parts SET records = 0 WHERE part = $1";

    /** Returns whether a table exists: {@code there}. Params: 1 name of the table. */
    private static final String IS_THERE = "SELECT to_regclass($1) IS NOT NULL AS there";

    /** The columns that a list and a single record share. */
    private static final String COLUMNS = "id, kind, result, project, flavor, name, instances, hosts";

    /** The table from which a list is read, unless it is for one instance. */
    private static final String ALL = "decisions";

    /**
     * A subquery for the records of one instance, in place of the table; formatted with the number of the parameter.
     * OFFSET 0 makes PostgreSQL find these few rows first, whatever the other conditions.
     */
    private static final String OF_INSTANCE = """
            (SELECT * FROM decisions
              WHERE instances[1] = $%1$d OR cardinality(instances) > 1 AND instances @> ARRAY[$%1$d]::uuid[]
             OFFSET 0) AS decisions""";

    /**
     * Returns the row of one record, with its body, considered hosts and request cut out of the content of its batch,
     * and the hashes of the batch as {@code names}; formatted with the query for the row of {@code decisions}. Zero
     * rows: the record does not exist, or was deleted.
     */
    private static final String ONE = """
            SELECT found.*, substring(contents.content FROM start FOR body_size) AS body,
                   substring(contents.content FROM start + body_size FOR offered_size) AS offered,
                   substring(contents.content FROM start + body_size + coalesce(offered_size,
                       0) FOR request_size) AS request,
                   contents.hosts AS names
              FROM (%s) AS found,
                   LATERAL (SELECT hosts, content FROM decision_contents
                             WHERE part = found.part AND id = found.contents LIMIT 1) AS contents
            """;

    /** Params: 1 id. Returns the columns of {@link #ONE}. */
    private static final String FIND = ONE.formatted("SELECT * FROM decisions WHERE id = $1 LIMIT 1");

    /** Params: 1 instance. Returns the columns of {@link #ONE} for the newest record of the instance. */
    private static final String NEWEST =
            ONE.formatted("SELECT * FROM " + OF_INSTANCE.formatted(1) + " ORDER BY id DESC LIMIT 1");

    /**
     * Maximum bytes that are read from a body for a list. This suffices for the members that a list shows, even if each
     * character of their texts takes six bytes in JSON.
     */
    static final int HEAD_MAX = 32 * 1_024;

    /**
     * Maximum bytes of a page, unless its first record alone has more. Without this limit, a thousand records with the
     * longest names would have 131 MB, and a single list could exhaust the memory.
     */
    private static final int PAGE_BYTES = 1_000_000;

    /**
     * Lists records, the latest first. Formatted with the table or subquery, further conditions, each beginning with "
     * AND", and the number of the parameter that is the maximum of rows. A body is cut after the name of the first
     * member that a list does not show, one of the four in the statement; at this name, {@link RecordedDecision#listed}
     * stops reading. The search for a quoted name cannot match within a text of the body, because quotes are escaped
     * there. Returns {@link #COLUMNS}, {@code body} (the cut body) and {@code found} (the number of records found, at
     * most the maximum of rows), for the records that fit on a page. If any record is found, at least one row.
     */
    private static final String LIST = """
            WITH listed AS MATERIALIZED (
                SELECT %1$s, part, contents, start, least(body_size, %2$d) AS size FROM %%s WHERE true%%s
                 ORDER BY id DESC LIMIT $%%d),
            answered AS MATERIALIZED (
                SELECT %1$s, (SELECT substring(begun FOR least(
                                     nullif(position('"warnings":['::bytea IN begun), 0) + 11,
                                     nullif(position('"prefilters":['::bytea IN begun), 0) + 13,
                                     nullif(position('"placement":{'::bytea IN begun), 0) + 12,
                                     nullif(position('"rounds":['::bytea IN begun), 0) + 9,
                                     length(begun)))
                                FROM (SELECT substring(content FROM listed.start FOR listed.size) AS begun
                                        FROM decision_contents
                                       WHERE decision_contents.part = listed.part
                                           AND decision_contents.id = listed.contents
                                       LIMIT 1) AS head) AS body
                  FROM listed),
            summed AS (
                SELECT *, row_number() OVER latest AS place, count(*) OVER () AS found,
                       sum(coalesce(length(body), 0) + coalesce(octet_length(project),
                           0) + coalesce(octet_length(flavor), 0)
                           + coalesce(octet_length(name), 0) * cardinality(instances)
                           + octet_length(instances::text) + octet_length(hosts::text)) OVER latest AS bytes
                  FROM answered WINDOW latest AS (ORDER BY id DESC))
            SELECT %1$s, body, found FROM summed WHERE place = 1 OR bytes <= %3$d ORDER BY id DESC
            """.formatted(COLUMNS, HEAD_MAX, PAGE_BYTES);

    /**
     * Params: 1 instances. Returns up to three rows per instance, the latest first: {@code instance}, {@code id} of the
     * record of a request that placed or moved it, and {@code request}, the body of this request. Skips reschedules and
     * requests whose body is not recorded. OFFSET 0 makes PostgreSQL find the few records of an instance first, instead
     * of scanning all records in the order of their ids.
     */
    static final String REQUESTS = """
            SELECT asked.instance, placed.id,
                   (SELECT substring(content FROM placed.start + placed.body_size + coalesce(placed.offered_size, 0)
                                     FOR placed.request_size)
                      FROM decision_contents
                     WHERE decision_contents.part = placed.part AND decision_contents.id = placed.contents
                         LIMIT 1) AS request
              FROM unnest($1::uuid[]) AS asked(instance)
             CROSS JOIN LATERAL (
                    SELECT * FROM (
                        SELECT * FROM decisions
                         WHERE (instances[1] = asked.instance
                                OR cardinality(instances) > 1 AND instances @> ARRAY[asked.instance])
                           AND result = 'selected' AND kind <> 'reschedule' AND request_size IS NOT NULL
                        OFFSET 0) AS own
                     ORDER BY id DESC LIMIT 3) AS placed
             ORDER BY asked.instance, placed.id DESC
            """;

    /**
     * Finds instances by name in the latest records with this name, also of requests that failed: 1,000 of requests for
     * one instance, and 1,000 of requests for several. Params: 1 name; 2 the name without "-" and a number at its end,
     * 3 that number, both null if the name has none; 4 maximum rows. In a request for several instances, the number is
     * the position of the instance, from 1. Returns each instance once: {@code uuid}, and {@code host}, which is null
     * unless the latest of these requests was for this instance only, and placed it.
     */
    static final String NAMED = """
            WITH alone AS (
                SELECT id, instances[1] AS uuid, hosts[1] AS host FROM decisions
                 WHERE name = $1 AND cardinality(instances) = 1 ORDER BY id DESC LIMIT 1000),
            one_of_several AS (
                SELECT id, instances[$3] AS uuid, NULL AS host FROM decisions
                 WHERE name = $2 AND cardinality(instances) > 1 AND cardinality(instances) >= $3 ORDER BY id DESC
                     LIMIT 1000)
            SELECT DISTINCT ON (uuid) uuid, host FROM (TABLE alone UNION ALL TABLE one_of_several) AS named
             ORDER BY uuid, id DESC LIMIT $4
            """;
    /** A name that ends in a hyphen and a number from 1 to 9999. */
    private static final Pattern NUMBERED = Pattern.compile("(.+)-([1-9][0-9]{0,3})", Pattern.DOTALL);

    /**
     * Returns requests to place instances by arrival; formatted with a further condition, beginning with " AND", and
     * the order in which records are read until a limit is reached. Params: 1 maximum records, 2 maximum bytes of all
     * bodies, 3 the lowest id if the condition has one. Returns {@code id}, {@code is_left_out} (whether the body does
     * not fit in these bytes), and {@code request} (the body; null if it does not fit or was not recorded).
     */
    private static final String SELECTIONS = """
            WITH taken AS MATERIALIZED (SELECT * FROM decisions WHERE kind = 'select' %1$s ORDER BY %2$s LIMIT $1),
            summed AS (SELECT *, sum(request_size) OVER (ORDER BY %2$s) AS total FROM taken)
            SELECT id, request_size IS NOT NULL AND total > $2 AS is_left_out,
                   CASE WHEN request_size IS NOT NULL AND total <= $2 THEN (
                           SELECT substring(
                                      content FROM summed.start + summed.body_size + coalesce(summed.offered_size, 0)
                                            FOR summed.request_size)
                             FROM decision_contents
                            WHERE decision_contents.part = summed.part AND decision_contents.id = summed.contents
                                LIMIT 1)
                       END AS request
              FROM summed ORDER BY id
            """;
    // SELECTIONS for the latest records, and for the first records from an id on.
    private static final String LATEST = SELECTIONS.formatted("", "id DESC");
    private static final String SINCE = SELECTIONS.formatted("AND id >= $3", "id");
    /** Maximum bytes of the bodies that {@link #selections} returns in all. */
    static final long SELECTIONS_BYTES_MAX = 4L * 1_024 * 1_024;

    private final Pool pool;

    RecordStore(Pool pool) {
        this.pool = pool;
    }

    /** The current partition after a write: its number of records, and its age in seconds. */
    record PartitionState(long records, double seconds) {}

    /**
     * Writes a batch of records, and returns the state of the partition afterwards. Returns null if the partition has
     * just ended, so that nothing was written.
     */
    Uni<PartitionState> write(List<DecisionRow> rows) {
        RecordBatch batch = RecordBatch.of(rows);
        Tuple params = Tuple.tuple()
                .addArrayOfUUID(rows.stream().map(DecisionRow::id).toArray(UUID[]::new))
                .addArrayOfString(texts(rows, DecisionRow::kind))
                .addArrayOfString(texts(rows, DecisionRow::result))
                .addArrayOfString(texts(rows, DecisionRow::project))
                .addArrayOfString(texts(rows, DecisionRow::flavor))
                .addArrayOfString(texts(rows, row -> row.instances().stream()
                        .map(UUID::toString)
                        .collect(Collectors.joining(",", "{", "}"))))
                .addArrayOfString(texts(rows, row -> row.hosts().stream()
                        .map(host -> '"' + host.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                        .collect(Collectors.joining(",", "{", "}"))))
                .addArrayOfInteger(sizes(batch, RecordBatch.Part::start))
                .addArrayOfInteger(sizes(batch, RecordBatch.Part::body))
                .addArrayOfInteger(sizes(batch, RecordBatch.Part::offered))
                .addArrayOfInteger(sizes(batch, RecordBatch.Part::request))
                .addUUID(batch.id())
                .addValue(Buffer.buffer(batch.hostHashes()))
                .addValue(Buffer.buffer(batch.content()))
                .addArrayOfString(texts(rows, DecisionRow::name));
        return pool.preparedQuery(WRITE).execute(params).map(written -> {
            if (written.size() == 0) {
                return null;
            }
            Row row = written.iterator().next();
            return new PartitionState(row.getLong("records"), row.getDouble("seconds"));
        });
    }

    private static String[] texts(List<DecisionRow> rows, Function<DecisionRow, String> column) {
        return rows.stream().map(column).toArray(String[]::new);
    }

    private static Integer[] sizes(RecordBatch batch, Function<RecordBatch.Part, Integer> column) {
        return batch.parts().stream().map(column).toArray(Integer[]::new);
    }

    /**
     * Ends the current partition if it is full or too old, empties the next partition and begins it. Returns false if
     * the current partition need not end.
     *
     * @param partRecords number of records at which a partition is full
     * @param partSeconds age in seconds at which a partition with records is too old
     */
    Uni<Boolean> rotatePartition(long partRecords, double partSeconds) {
        return pool.withTransaction(connection -> connection.query(LOCK_BRIEFLY).execute()
                .chain(() -> part(connection, PARTITION_TO_END, Tuple.of(partRecords, partSeconds)))
                .chain(full -> {
                    if (full == null) {
                        return Uni.createFrom().item(false);
                    }
                    int next = (full + 1) % RecordOptions.PARTS;
                    return empty(connection, next)
                            .chain(() -> connection.preparedQuery(BEGIN_NEXT_PARTITION).execute(Tuple.of(full, next)))
                            .replaceWith(true);
                }));
    }

    /**
     * Empties the oldest expired partition, see {@link #EXPIRED}. Returns whether there was one.
     *
     * @param seconds time since its end at which a partition expires
     */
    Uni<Boolean> expire(double seconds) {
        return pool.withTransaction(connection -> connection.query(LOCK_BRIEFLY).execute()
                .chain(() -> part(connection, EXPIRED, Tuple.of(seconds)))
                .chain(expired -> expired == null
                        ? Uni.createFrom().item(false)
                        : empty(connection, expired)
                                .chain(() -> connection.preparedQuery(FORGET).execute(Tuple.of(expired)))
                                .replaceWith(true)));
    }

    /** Creates the current partition if it is missing because an operator dropped it. */
    Uni<Void> createCurrentPartition() {
        return pool.withTransaction(connection -> connection.query(LOCK_BRIEFLY).execute()
                .chain(() -> part(connection, "SELECT part FROM decision_parts WHERE " + CURRENT + " FOR UPDATE",
                        Tuple.tuple()))
                .chain(current -> current == null ? Uni.createFrom().voidItem() : createIfAbsent(connection, current)));
    }

    private static Uni<Integer> part(SqlConnection connection, String statement, Tuple params) {
        return connection.preparedQuery(statement).execute(params)
                .map(rows -> rows.size() == 0 ? null : rows.iterator().next().getInteger("part"));
    }

    private static Uni<Void> empty(SqlConnection connection, int part) {
        return createIfAbsent(connection, part)
                .chain(() -> connection.query(TABLES.stream()
                        .map(table -> table + "_" + part)
                        .collect(Collectors.joining(", ", "TRUNCATE ", ""))).execute())
                .replaceWithVoid();
    }

    private static Uni<Void> createIfAbsent(SqlConnection connection, int part) {
        return Multi.createFrom().iterable(TABLES)
                .onItem().transformToUniAndConcatenate(table -> createIfAbsent(connection, table, part))
                .onItem().ignoreAsUni();
    }

    private static Uni<Void> createIfAbsent(SqlConnection connection, String table, int part) {
        return connection.preparedQuery(IS_THERE).execute(Tuple.of(table + "_" + part))
                .chain(rows -> rows.iterator().next().getBoolean("there")
                        ? Uni.createFrom().voidItem()
                        : connection.query(PARTITION.formatted(table, part)).execute().replaceWithVoid());
    }

    /** Returns a record; null if it does not exist, or was deleted. */
    Uni<DecisionRow> find(UUID id) {
        return one(FIND, id);
    }

    /** Returns the newest record of an instance; null if there is none. */
    Uni<DecisionRow> newestOf(UUID instance) {
        return one(NEWEST, instance);
    }

    private Uni<DecisionRow> one(String query, UUID param) {
        return pool.preparedQuery(query).execute(Tuple.of(param)).map(rows -> {
            if (rows.size() == 0) {
                return null;
            }
            Row row = rows.iterator().next();
            byte[] offered = bytes(row, "offered");
            return row(row, bytes(row, "request"),
                    offered == null ? null : OfferedHosts.of(row.getBuffer("names").getBytes(), offered));
        });
    }

    /**
     * Returns a page of records, the latest first, without their requests and considered hosts, and with bodies that
     * are cut as for {@link #LIST}.
     */
    Uni<RecordPage<DecisionRow>> list(RecordSearch search) {
        StringBuilder conditions = new StringBuilder();
        Tuple params = Tuple.tuple();
        String from = ALL;
        if (search.instance() != null) {
            params.addValue(search.instance());
            from = OF_INSTANCE.formatted(params.size());
        }
        where(conditions, params, "$%d = ANY (hosts)", search.host());
        where(conditions, params, "project = $%d", search.project());
        where(conditions, params, "flavor = $%d", search.flavor());
        if (search.result() != null) {
            where(conditions, params, "result = $%d", search.result().wireName());
            // Repeats the condition in the form of the index of failed decisions.
            conditions.append(search.result() == DecisionOutcome.Result.SELECTED ? "" : " AND result <> 'selected'");
        }
        where(conditions, params, "id >= $%d", search.since() == null ? null : DecisionId.lowest(search.since()));
        where(conditions, params, "id < $%d", search.until() == null ? null : DecisionId.lowest(search.until()));
        where(conditions, params, "id < $%d", search.marker());
        params.addValue(search.limit() + 1);
        return pool.preparedQuery(LIST.formatted(from, conditions, params.size())).execute(params).map(rows -> {
            List<DecisionRow> page = StreamSupport.stream(rows.spliterator(), false)
                    .limit(search.limit())
                    .map(row -> row(row, null, null))
                    .toList();
            return new RecordPage<>(page, !page.isEmpty() && rows.iterator().next().getLong("found") > page.size());
        });
    }

    /** Returns up to three requests per instance that placed or moved it, the latest first; see {@link #REQUESTS}. */
    Uni<List<RecordedRequest>> requestsOf(List<UUID> instances) {
        return pool.preparedQuery(REQUESTS)
                .execute(Tuple.tuple().addArrayOfUUID(instances.toArray(UUID[]::new)))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .filter(row -> row.getValue("request") != null)
                        .map(row -> new RecordedRequest(
                                row.getUUID("instance"), row.getUUID("id"), row.getBuffer("request").getBytes()))
                        .toList());
    }

    /** Returns the instances that recent requests were to place under a name, see {@link #NAMED}. */
    Uni<List<NamedInstance>> findInstancesNamed(String name) {
        Matcher numbered = NUMBERED.matcher(name);
        boolean isNumbered = numbered.matches();
        return pool.preparedQuery(NAMED)
                .execute(Tuple.of(
                        name,
                        isNumbered ? numbered.group(1) : null,
                        isNumbered ? Integer.valueOf(numbered.group(2)) : null,
                        NameLookup.CANDIDATES_MAX + 1L))
                .map(rows -> NamedInstance.of(name, rows));
    }

    /**
     * Returns requests to place instances in the order of their arrival, the earliest from {@code since} on or the
     * latest.
     */
    Uni<List<RecordedSelection>> selections(@Nullable Instant since, int limit) {
        return pool.preparedQuery(since == null ? LATEST : SINCE)
                .execute(since == null
                        ? Tuple.of(limit, SELECTIONS_BYTES_MAX)
                        : Tuple.of(limit, SELECTIONS_BYTES_MAX, DecisionId.lowest(since)))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new RecordedSelection(
                                row.getUUID("id"), bytes(row, "request"), row.getBoolean("is_left_out")))
                        .toList());
    }

    /** Adds a condition with the next parameter, unless the value is null. */
    private static void where(StringBuilder conditions, Tuple params, String condition, @Nullable Object value) {
        if (value != null) {
            params.addValue(value);
            conditions.append(" AND ").append(condition.formatted(params.size()));
        }
    }

    private static DecisionRow row(Row row, @Nullable byte[] request, @Nullable OfferedHosts offered) {
        return new DecisionRow(
                row.getUUID("id"),
                row.getString("kind"),
                row.getString("result"),
                row.getString("project"),
                row.getString("flavor"),
                row.getString("name"),
                List.of(row.getArrayOfUUIDs("instances")),
                List.of(row.getArrayOfStrings("hosts")),
                request,
                row.getBuffer("body").getBytes(),
                offered);
    }

    private static @Nullable byte[] bytes(Row row, String column) {
        io.vertx.mutiny.core.buffer.Buffer buffer = row.getBuffer(column);
        return buffer == null ? null : buffer.getBytes();
    }
}
