package io.berth.scheduler.boot;

import io.berth.scheduler.claim.AllocationsText;
import io.berth.scheduler.seat.JoinedGroup;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The record of every boot, shared by all replicas. Whoever works on a boot holds its token for a while; one that worked
 * for longer finds its token gone and changes nothing.
 *
 * <p>Only a boot that is started has a token. Where a token is asked for, the state is not asked for besides: PostgreSQL
 * would look through the index of open boots instead of looking the key up, and through all that were in it since it was
 * vacuumed.
 */
@Singleton
class BootStore {
    private static final String COLUMNS = """
            boots.key, boots.shape, boots.instances, boots.state, boots.resources #>> '{}' AS resources, boots.answer,
                      boots.request_id, boots.token, boots.attempts,
                      boots.token IS NOT NULL AND boots.lease_until >= now() AS worked_on,
                      coalesce(boots.doubt_until > now(), false) AS in_doubt
            """;

    /** Params: 1 key, 2 instances. Boots of that key, and those that have the word for one of the instances. */
    static final String FIND = """
            SELECT %s FROM boots
             WHERE key IN (SELECT $1::text UNION SELECT key FROM boot_instances WHERE instance = ANY($2))
             ORDER BY key
            """.formatted(COLUMNS);

    /**
     * Params, one element per boot: 1 keys, 2 shapes, 3 tokens, 4 resources as JSON text, 5 answers or nulls, 6 request
     * ids; one per instance: 7 keys, 8 instances, 9 what they hold as JSON text or null, 10 records in the registry as
     * JSON text or null; 11 lease in seconds. No key and no instance may be there twice.
     *
     * <p>One row per boot that has begun: its token and of how many instances it has the word. No row: there is a record
     * of that key that is open or placed. All in the order of their locks. OFFSET 0 has each instance looked up by its
     * key: a plan that is made while few are known reads all of them otherwise, however many there are by then.
     */
    static final String START = """
            WITH asked AS (
                SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[])
                           AS asked(key, shape, token, resources, answer, request_id)),
            member AS (
                SELECT * FROM unnest($7::text[], $8::uuid[], $9::text[], $10::text[])
                         WITH ORDINALITY AS member(key, instance, kept, body, place)),
            begun AS (
                INSERT INTO boots (key, shape, instances, state, resources, answer, request_id, token, lease_until)
                SELECT key, shape,
                       (SELECT array_agg(instance ORDER BY place) FROM member WHERE member.key = asked.key),
                       'started', cast(resources AS jsonb), answer, request_id, token,
                       now() + make_interval(secs => $11)
                  FROM asked
                 ORDER BY key
                ON CONFLICT (key) DO UPDATE
                   SET shape = excluded.shape, instances = excluded.instances, state = 'started',
                       resources = excluded.resources, answer = excluded.answer, request_id = excluded.request_id,
                       token = excluded.token, lease_until = excluded.lease_until, attempts = 0, begun_at = now()
                 WHERE boots.state = 'failed' OR boots.token = excluded.token
                RETURNING key, token),
            owned AS (
                INSERT INTO boot_instances AS known (instance, key, kept, before, version)
                SELECT member.instance, member.key, cast(member.kept AS jsonb), earlier.body,
                       CASE WHEN member.body IS NOT NULL THEN coalesce(earlier.version + 1, 0) END
                  FROM begun
                  JOIN member USING (key)
                  LEFT JOIN LATERAL (
                       SELECT body, version FROM instances WHERE uuid = member.instance OFFSET 0) AS earlier ON true
                 ORDER BY member.instance
                ON CONFLICT (instance) DO UPDATE
                   SET kept = excluded.kept, version = excluded.version,
                       before = CASE WHEN excluded.version = known.version + 1 THEN known.before ELSE excluded.before END
                 WHERE known.key = excluded.key
                RETURNING key, instance),
            registered AS (
                INSERT INTO instances (uuid, body, declared)
                SELECT member.instance, cast(member.body AS jsonb), false
                  FROM owned
                  JOIN member USING (key, instance)
                 WHERE member.body IS NOT NULL
                 ORDER BY member.instance
                ON CONFLICT (uuid) DO UPDATE SET body = excluded.body, version = instances.version + 1)
            SELECT begun.token, (SELECT count(*) FROM owned WHERE owned.key = begun.key) AS owned FROM begun
            """;

    /**
     * Params: 1 key, 2 state it is in, 3 token, 4 lease in seconds, 5 seconds in which a claim of a replica that is gone
     * may still commit. Zero rows: it is in another state, or somebody works on it.
     */
    static final String TAKE = """
            WITH due AS (
                SELECT key, token FROM boots
                 WHERE key = $1 AND state = $2 AND (token IS NULL OR lease_until < now())
                   FOR UPDATE)
            UPDATE boots
               SET state = 'started', answer = CASE WHEN $2 = 'placed' THEN NULL ELSE answer END,
                   token = $3, lease_until = now() + make_interval(secs => $4),
                   doubt_until = CASE WHEN due.token IS NULL THEN doubt_until
                                      ELSE greatest(doubt_until, now() + make_interval(secs => $5)) END
              FROM due
             WHERE boots.key = due.key
            RETURNING %s
            """.formatted(COLUMNS);

    /**
     * Params: 1 token, 2 lease in seconds, 3 seconds in which a claim of a replica that is gone may still commit. Takes
     * one open boot that is due. Zero rows: none is.
     */
    static final String TAKE_DUE = """
            WITH due AS (
                SELECT key, token FROM boots
                 WHERE state = 'started' AND lease_until < now()
                 ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED)
            UPDATE boots
               SET token = $1, lease_until = now() + make_interval(secs => $2),
                   doubt_until = CASE WHEN due.token IS NULL THEN doubt_until
                                      ELSE greatest(doubt_until, now() + make_interval(secs => $3)) END
              FROM due
             WHERE boots.key = due.key
            RETURNING %s
            """.formatted(COLUMNS);

    /** Params: 1 tokens, 2 lease in seconds. The tokens that still count. */
    static final String RENEW = """
            UPDATE boots SET lease_until = now() + make_interval(secs => $2)
             WHERE token = ANY($1) AND state = 'started'
            RETURNING token
            """;

    /** Params: 1 key. The instances that the boot has the word for. */
    static final String OWNED = """
            SELECT instance, kept #>> '{}' AS kept
              FROM boots, unnest(boots.instances) AS member
              JOIN boot_instances ON boot_instances.instance = member
             WHERE boots.key = $1 AND boot_instances.key = boots.key
            """;

    /** Params, one element per boot: 1 keys, 2 tokens. Their answers are what was planned. */
    static final String AS_PLANNED = """
            UPDATE boots SET state = 'placed', token = NULL, lease_until = now()
             WHERE key = ANY($1) AND token = ANY($2)
            """;

    /** Params: 1 key. What was planned has come about, whoever works on it. */
    static final String SEEN_AS_PLANNED = """
            UPDATE boots SET state = 'placed', token = NULL, lease_until = now()
             WHERE key = $1 AND state = 'started' AND answer IS NOT NULL
            """;

    private static final String JOINED = JoinedGroup.of("placed", "placed.key");

    /** {@link #PLACED}, with room for what is said of a server group. */
    private static final String PLACE = """
            WITH placed AS (
                UPDATE boots SET state = 'placed', answer = $3, token = NULL, lease_until = now()
                 WHERE key = $1 AND token = $2
                RETURNING key),
            %s
            registered AS (
                INSERT INTO instances (uuid, body, declared)
                SELECT member.uuid, cast(member.body AS jsonb), false
                  FROM placed, unnest($4::uuid[], $5::text[]) AS member(uuid, body)
                 ORDER BY member.uuid
                ON CONFLICT (uuid) DO UPDATE SET body = excluded.body, version = instances.version + 1)
            SELECT key FROM placed
            """;

    /**
     * Params: 1 key, 2 token, 3 answer, 4 instances, 5 their records in the registry as JSON text. Zero rows: token lost.
     */
    static final String PLACED = PLACE.formatted("");

    /** As {@link #PLACED}, of members of a server group. */
    static final String SEATED = PLACE.formatted(JOINED);

    /** {@link #RESCHEDULED}, with room for what is said of a server group. */
    private static final String RESCHEDULE = """
            WITH placed AS (
                UPDATE boots SET state = 'placed', answer = $3, token = NULL, lease_until = now()
                 WHERE key = $1 AND token = $2
                RETURNING key),
            %s
            followed AS (
                INSERT INTO instances (uuid, body, declared)
                SELECT $4, cast($5::text AS jsonb), false FROM placed
                ON CONFLICT (uuid) DO UPDATE
                   SET body = instances.body || excluded.body, version = instances.version + 1)
            SELECT key FROM placed
            """;

    /**
     * Params: 1 key, 2 token, 3 answer, 4 instance, 5 its host and node as JSON text. The instance is registered
     * there now, also one that was unregistered when it gave its host up. Zero rows: token lost.
     */
    static final String RESCHEDULED = RESCHEDULE.formatted("");

    /** As {@link #RESCHEDULED}, of a member of a server group. */
    static final String RESEATED = RESCHEDULE.formatted(JOINED);

    /** Params: 1 host, 2 node name or null for any. One more build failed there since the node's last report. */
    static final String BUILD_FAILED = """
            UPDATE compute_nodes
               SET version = version + 1,
                   body = jsonb_set(body, '{failed_builds}',
                                    to_jsonb(coalesce((body ->> 'failed_builds')::bigint, 0) + 1))
             WHERE host = $1 AND ($2::text IS NULL OR nodename = $2)
            """;

    /**
     * Params: 1 key, 2 token, 3 seconds in which a claim may still commit from now on, 0 for none, 4 seconds until it is
     * looked at again if so. Everything is taken back: the registrations are as before, unless somebody else wrote them
     * since. Where a claim may still commit the boot stays open. Zero rows: token lost.
     */
    static final String TAKEN_BACK = """
            WITH ended AS (
                UPDATE boots
                   SET state = CASE WHEN $3::float8 > 0 OR doubt_until > now() THEN 'started' ELSE 'failed' END,
                       doubt_until = CASE WHEN $3::float8 > 0 THEN greatest(doubt_until, now() + make_interval(secs => $3))
                                          ELSE doubt_until END,
                       answer = NULL, token = NULL, attempts = attempts + 1,
                       lease_until = now() + make_interval(secs => $4)
                 WHERE key = $1 AND token = $2
                RETURNING key, instances, state),
            owned AS (
                SELECT boot_instances.instance, boot_instances.before, boot_instances.version
                  FROM ended, unnest(ended.instances) AS member
                  JOIN boot_instances ON boot_instances.instance = member
                 WHERE boot_instances.key = $1),
            gone AS (
                DELETE FROM instances USING owned
                 WHERE instances.uuid = owned.instance AND instances.version = owned.version AND owned.before IS NULL),
            restored AS (
                UPDATE instances SET body = owned.before, version = instances.version + 1
                  FROM owned
                 WHERE instances.uuid = owned.instance AND instances.version = owned.version
                   AND owned.before IS NOT NULL),
            given_up AS (
                DELETE FROM server_group_seats USING ended
                 WHERE server_group_seats.holder = ended.key AND ended.state = 'failed'),
            left_alone AS (
                DELETE FROM boot_instances USING owned, ended
                 WHERE boot_instances.instance = owned.instance AND ended.state = 'failed'
                   -- A move that is open still has the word.
                   AND NOT EXISTS (SELECT FROM moves
                                    WHERE moves.instance_uuid = owned.instance AND moves.state = 'started')),
            looked_at_again AS (
                UPDATE boot_instances SET version = NULL
                  FROM owned, ended
                 WHERE boot_instances.instance = owned.instance AND ended.state = 'started')
            SELECT state FROM ended
            """;

    /**
     * Params: 1 key, 2 token, 3 seconds until it is due again, 4 seconds in which a claim may still commit from now on, 0
     * for none, 5 whether the caller is told that it failed: then it will not do as planned either.
     */
    static final String POSTPONE = """
            UPDATE boots
               SET token = NULL, answer = CASE WHEN $5 THEN NULL ELSE answer END,
                   lease_until = now() + make_interval(secs => $3), attempts = attempts + 1,
                   doubt_until = CASE WHEN $4::float8 > 0 THEN greatest(doubt_until, now() + make_interval(secs => $4))
                                      ELSE doubt_until END
             WHERE key = $1 AND token = $2
            """;

    /**
     * Params: 1 instances. They go their own way: what is placed has no word for them any more, and neither has what only
     * its confirmation is missing of, which is confirmed.
     */
    static final String LEAVE = """
            WITH their AS (
                SELECT boots.key, boots.state, boot_instances.instance
                  FROM boot_instances
                  JOIN boots USING (key)
                 WHERE boot_instances.instance = ANY($1)
                   AND (boots.state = 'placed' OR (boots.state = 'started' AND boots.answer IS NOT NULL))),
            confirmed AS (
                UPDATE boots SET state = 'placed', token = NULL, lease_until = now()
                  FROM their
                 WHERE boots.key = their.key AND boots.state = 'started')
            DELETE FROM boot_instances USING their
             WHERE boot_instances.instance = their.instance AND boot_instances.key = their.key
            """;

    /** Params: 1 seconds to keep, 2 most to remove. One row per boot that is gone. */
    static final String PRUNE = """
            WITH old AS (
                DELETE FROM boots
                 WHERE key IN (
                        SELECT key FROM boots
                         WHERE state <> 'started' AND begun_at < now() - make_interval(secs => $1)
                         ORDER BY begun_at LIMIT $2)
                RETURNING key, instances),
            left_alone AS (
                DELETE FROM boot_instances USING old
                 WHERE boot_instances.instance = ANY(old.instances) AND boot_instances.key = old.key)
            SELECT key FROM old
            """;

    /** No params. One row: open boots that nobody works on. */
    static final String COUNT = """
            SELECT count(*)::float8 AS count,
                   coalesce(extract(epoch FROM now() - min(begun_at)), 0)::float8 AS oldest_seconds
              FROM boots
             WHERE state = 'started' AND (token IS NULL OR lease_until < now())
            """;

    private final Pool pool;

    BootStore(Pool pool) {
        this.pool = pool;
    }

    Uni<List<Boot>> find(Asked asked) {
        return pool.preparedQuery(FIND)
                .execute(Tuple.of(asked.key(), asked.instances().toArray(UUID[]::new)))
                .map(rows -> {
                    List<Boot> boots = new ArrayList<>();
                    rows.forEach(row -> boots.add(read(row)));
                    return boots;
                });
    }

    /** How many instances each boot that has begun has the word for, by token. No key or instance may be there twice. */
    Uni<Map<UUID, Long>> start(List<Start> starts, double leaseSeconds) {
        Tuple params = Tuple.tuple()
                .addArrayOfString(texts(starts.stream().map(start -> start.asked().key())))
                .addArrayOfString(texts(starts.stream().map(start -> start.asked().shape())))
                .addArrayOfUUID(starts.stream().map(Start::token).toArray(UUID[]::new))
                .addArrayOfString(texts(starts.stream().map(Start::resources)))
                .addArrayOfString(texts(starts.stream().map(Start::answer)))
                .addArrayOfString(texts(starts.stream().map(start -> start.asked().requestId())))
                .addArrayOfString(texts(starts.stream().flatMap(start ->
                        start.asked().instances().stream().map(each -> start.asked().key()))))
                .addArrayOfUUID(starts.stream()
                        .flatMap(start -> start.asked().instances().stream())
                        .toArray(UUID[]::new))
                .addArrayOfString(texts(starts.stream().flatMap(start ->
                        start.asked().instances().stream().map(each -> start.kept().get(each)))))
                .addArrayOfString(texts(starts.stream().flatMap(start ->
                        start.asked().instances().stream().map(each -> start.registration()))))
                .addDouble(leaseSeconds);
        return pool.preparedQuery(START).execute(params).map(rows -> {
            Map<UUID, Long> owned = new HashMap<>();
            rows.forEach(row -> owned.put(row.getUUID("token"), row.getLong("owned")));
            return owned;
        });
    }

    private static String[] texts(Stream<String> texts) {
        return texts.toArray(String[]::new);
    }

    /** Null if it is in another state, or somebody works on it. A placed one is taken to be taken back. */
    Uni<Boot> take(String key, BootState from, double leaseSeconds, double doubtSeconds) {
        return pool.preparedQuery(TAKE)
                .execute(Tuple.of(key, from.name().toLowerCase(Locale.ROOT), UUID.randomUUID(), leaseSeconds, doubtSeconds))
                .map(BootStore::first);
    }

    /** Null if none is due. */
    Uni<Boot> takeDue(double leaseSeconds, double doubtSeconds) {
        return pool.preparedQuery(TAKE_DUE)
                .execute(Tuple.of(UUID.randomUUID(), leaseSeconds, doubtSeconds))
                .map(BootStore::first);
    }

    Uni<Set<UUID>> renew(Collection<UUID> tokens, double leaseSeconds) {
        return pool.preparedQuery(RENEW)
                .execute(Tuple.of(tokens.toArray(UUID[]::new), leaseSeconds))
                .map(rows -> {
                    Set<UUID> renewed = new HashSet<>();
                    rows.forEach(row -> renewed.add(row.getUUID("token")));
                    return renewed;
                });
    }

    Uni<List<Boot.Owned>> owned(Boot boot) {
        return pool.preparedQuery(OWNED).execute(Tuple.of(boot.key())).map(rows -> {
            List<Boot.Owned> owned = new ArrayList<>();
            rows.forEach(row -> owned.add(new Boot.Owned(row.getUUID("instance"), allocations(row.getString("kept")))));
            return owned;
        });
    }

    private static Map<String, Map<String, Long>> allocations(@Nullable String text) {
        return text == null ? Map.of() : AllocationsText.parse(text);
    }

    Uni<Void> placedAsPlanned(List<Confirmations.Confirmed> confirmed) {
        return pool.preparedQuery(AS_PLANNED)
                .execute(Tuple.of(
                        confirmed.stream().map(Confirmations.Confirmed::key).toArray(String[]::new),
                        confirmed.stream().map(Confirmations.Confirmed::token).toArray(UUID[]::new)))
                .replaceWithVoid();
    }

    Uni<Void> seenAsPlanned(Boot boot) {
        return pool.preparedQuery(SEEN_AS_PLANNED).execute(Tuple.of(boot.key())).replaceWithVoid();
    }

    /**
     * @param areSeated whether the instances took seats in a server group, which they join now
     * @return false if somebody else took the boot over meanwhile
     */
    Uni<Boolean> placed(
            String key,
            UUID token,
            @Nullable String answer,
            List<UUID> instances,
            List<String> bodies,
            boolean areSeated) {
        return pool.preparedQuery(areSeated ? SEATED : PLACED)
                .execute(Tuple.tuple()
                        .addString(key)
                        .addUUID(token)
                        .addString(answer)
                        .addArrayOfUUID(instances.toArray(UUID[]::new))
                        .addArrayOfString(bodies.toArray(String[]::new)))
                .map(rows -> rows.size() > 0);
    }

    /** False if somebody else took the boot over meanwhile. */
    Uni<Boolean> rescheduled(
            String key, UUID token, String answer, UUID instance, String place, boolean isSeated) {
        return pool.preparedQuery(isSeated ? RESEATED : RESCHEDULED)
                .execute(Tuple.of(key, token, answer, instance, place))
                .map(rows -> rows.size() > 0);
    }

    Uni<Void> buildFailed(String host, @Nullable String nodename) {
        return pool.preparedQuery(BUILD_FAILED).execute(Tuple.of(host, nodename)).replaceWithVoid();
    }

    /** @param doubtSeconds in which a claim may still commit from now on; 0 for none */
    Uni<Void> takenBack(String key, UUID token, double doubtSeconds, double againSeconds) {
        return pool.preparedQuery(TAKEN_BACK)
                .execute(Tuple.of(key, token, doubtSeconds, againSeconds))
                .replaceWithVoid();
    }

    /** @param failing whether the caller is told that it failed */
    Uni<Void> postpone(String key, UUID token, double seconds, double doubtSeconds, boolean failing) {
        return pool.preparedQuery(POSTPONE)
                .execute(Tuple.of(key, token, seconds, doubtSeconds, failing))
                .replaceWithVoid();
    }

    Uni<Void> leave(List<UUID> instances) {
        return pool.preparedQuery(LEAVE).execute(Tuple.of(instances.toArray(UUID[]::new))).replaceWithVoid();
    }

    /** How many are gone; no more than that many. */
    Uni<Integer> prune(double keepSeconds, int most) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of(keepSeconds, (long) most)).map(RowSet::size);
    }

    /** What is left open. NaN for what is not known. */
    record Left(double count, double oldestSeconds) {
        static final Left UNKNOWN = new Left(Double.NaN, Double.NaN);
    }

    Uni<Left> count() {
        return pool.query(COUNT).execute().map(rows -> {
            Row row = rows.iterator().next();
            return new Left(row.getDouble("count"), row.getDouble("oldest_seconds"));
        });
    }

    private static @Nullable Boot first(RowSet<Row> rows) {
        return rows.size() == 0 ? null : read(rows.iterator().next());
    }

    private static Boot read(Row row) {
        return new Boot(
                row.getString("key"),
                row.getString("shape"),
                List.of(row.getArrayOfUUIDs("instances")),
                BootState.of(row.getString("state")),
                Resources.parse(row.getString("resources")),
                row.getString("answer"),
                row.getString("request_id"),
                row.getUUID("token"),
                row.getBoolean("worked_on"),
                row.getBoolean("in_doubt"),
                row.getInteger("attempts"));
    }
}
