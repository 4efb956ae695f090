package io.berth.scheduler.boot;

import io.berth.scheduler.claim.AllocationsText;
import io.berth.scheduler.claim.Releases;
import io.berth.scheduler.seat.JoinedGroup;
import io.quarkus.reactive.datasource.ReactiveDataSource;
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
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The record of every boot, shared by all replicas: a row that stays as it is written, and beside it a short one while
 * the boot is open. Whoever works on a boot holds its token for a while; one that worked for longer finds its token gone
 * and changes nothing.
 */
@Singleton
class BootStore {
    private static final String COLUMNS = """
            boots.key, boots.shape, boots.instances, boots.resources #>> '{}' AS resources, boots.answer,
                      boots.request_id, open_boots.key IS NOT NULL AS open, open_boots.token,
                      coalesce(open_boots.attempts, 0) AS attempts,
                      coalesce(open_boots.token IS NOT NULL AND open_boots.lease_until >= now(), false) AS worked_on,
                      CASE WHEN open_boots.key IS NULL
                           THEN EXISTS (SELECT FROM late_claims WHERE instance = ANY(boots.instances) AND until > now())
                           ELSE coalesce(open_boots.doubt_until > now(), false) END AS in_doubt,
                      coalesce(open_boots.release_sent
                               OR open_boots.releasing AND open_boots.doubt_until > now(), false) AS releasing
            """;

    /**
     * Whether one of the instances of a record, named by its alias, is on the move; an unshelving is that of its own record.
     * OFFSET 0 as in {@link #START}.
     */
    private static final String ON_THE_MOVE = """
            EXISTS (SELECT FROM unnest(%1$s.instances) AS member(instance), LATERAL (
                                 SELECT migration_uuid FROM moves
                                  WHERE instance_uuid = member.instance AND state IN ('started', 'reverting')
                                 OFFSET 0) AS open
                             WHERE 'unshelve:' || open.migration_uuid <> %1$s.key)""";

    /** Params: 1 key, 2 instances. Boots of that key, and those that have the word for one of the instances. */
    static final String FIND = """
            SELECT %s FROM boots LEFT JOIN open_boots USING (key)
             WHERE boots.key IN (SELECT $1::text UNION SELECT key FROM boot_instances WHERE instance = ANY($2))
             ORDER BY boots.key
            """.formatted(COLUMNS);

    /**
     * Params, one element per boot: 1 keys, 2 shapes, 3 tokens, 4 resources as JSON text, 5 answers or nulls, 6 request
     * ids, 7 instances as text of an array, 8 what they hold as JSON text by instance or null, 9 the record of its only
     * instance in the registry as JSON text or null; 10 lease in seconds. No key and no instance may be there twice.
     *
     * <p>One row per boot that has begun: its token and of how many instances it has the word. No row: there is a record
     * of that key that is placed, or somebody else's, or one of its instances is on the move: whatever is claimed for it then,
     * putting everything back would overwrite. All in the order of their locks. OFFSET 0 has each instance looked
     * up by its key: a plan that is made while few are known reads all of them otherwise, however many there are by then.
     */
    static final String START = """
            WITH asked AS (
                SELECT key, shape, token, resources, answer, request_id, cast(instances AS uuid[]) AS instances,
                       cast(kept AS jsonb) AS kept, cast(body AS jsonb) AS body
                  FROM unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
                              $8::text[], $9::text[])
                       AS asked(key, shape, token, resources, answer, request_id, instances, kept, body)),
            begun AS (
                INSERT INTO boots (key, shape, instances, resources, answer, request_id)
                SELECT key, shape, instances, cast(resources AS jsonb), answer, request_id
                  FROM asked
                 WHERE NOT %s
                 ORDER BY key
                ON CONFLICT (key) DO UPDATE
                   SET shape = excluded.shape, instances = excluded.instances, resources = excluded.resources,
                       answer = excluded.answer, request_id = excluded.request_id, begun_at = now()
                 -- A request that goes on under its own record has taken it.
                 WHERE EXISTS (SELECT FROM open_boots JOIN asked USING (key, token) WHERE key = excluded.key)
                RETURNING key),
            opened AS (
                INSERT INTO open_boots (key, token, lease_until)
                SELECT key, token, now() + make_interval(secs => $10)
                  FROM begun
                  JOIN asked USING (key)
                 ORDER BY key
                ON CONFLICT (key) DO UPDATE
                   SET lease_until = excluded.lease_until, attempts = 0, releasing = false, release_sent = false),
            owned AS (
                INSERT INTO boot_instances AS known (instance, key, kept, before, version)
                SELECT member.instance, asked.key, asked.kept -> cast(member.instance AS text), earlier.body,
                       CASE WHEN asked.body IS NOT NULL THEN coalesce(earlier.version + 1, 0) END
                  FROM begun
                  JOIN asked USING (key)
                 CROSS JOIN unnest(asked.instances) AS member(instance)
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
                SELECT owned.instance, asked.body, false
                  FROM owned
                  JOIN asked USING (key)
                 WHERE asked.body IS NOT NULL
                 ORDER BY owned.instance
                ON CONFLICT (uuid) DO UPDATE SET body = excluded.body, version = instances.version + 1)
            SELECT asked.token, count(owned.instance) AS owned
              FROM begun
              JOIN asked USING (key)
              LEFT JOIN owned USING (key)
             GROUP BY asked.token
            """.formatted(ON_THE_MOVE.formatted("asked"));

    /**
     * Takes an open boot, with room for which. Params: 1 token, 2 lease in seconds, 3 seconds in which a claim or release
     * of a replica that is gone may still commit.
     */
    private static final String TAKING = """
            UPDATE open_boots
               SET token = $1, lease_until = now() + make_interval(secs => $2),
                   doubt_until = CASE WHEN open_boots.token IS NULL THEN doubt_until
                                      ELSE greatest(doubt_until, now() + make_interval(secs => $3)) END,
                   releasing = releasing OR release_sent, release_sent = false
              FROM boots
             WHERE boots.key = open_boots.key AND %%s
            RETURNING %s
            """.formatted(COLUMNS);

    /** Params: those of {@link #TAKING}, 4 key. Zero rows: it is not open, or somebody works on it. */
    static final String TAKE = TAKING.formatted(
            "open_boots.key = $4 AND (open_boots.token IS NULL OR open_boots.lease_until < now())");

    /**
     * Params: 1 key, 2 token, 3 lease in seconds, 4 whether it is in the way of another of the same key, 5 whether it is
     * taken back, as nobody took its answer; else its instances hold nothing. One that is placed. Zero rows: it is open or gone;
     * or its instances hold nothing because they are on the move, whoever moves them has the word, and the record stays for when
     * they are put back; or a claim of before may still commit, so that what they hold by then may be anybody's.
     */
    static final String REOPEN = """
            WITH placed AS (
                UPDATE boots SET answer = NULL
                 WHERE key = $1 AND NOT EXISTS (SELECT FROM open_boots WHERE open_boots.key = boots.key)
                   AND CASE WHEN $4
                            THEN NOT %s
                            ELSE EXISTS (SELECT FROM boot_instances
                                          WHERE instance = ANY(boots.instances) AND boot_instances.key = boots.key) END
                   AND ($5 OR NOT EXISTS (SELECT FROM late_claims WHERE instance = ANY(boots.instances) AND until > now()))
                RETURNING *),
            opened AS (
                INSERT INTO open_boots (key, token, lease_until, doubt_until)
                SELECT key, $2, now() + make_interval(secs => $3),
                       (SELECT max(until) FROM late_claims WHERE instance = ANY(placed.instances))
                  FROM placed
                ON CONFLICT DO NOTHING
                RETURNING *)
            SELECT %s FROM opened AS open_boots JOIN placed AS boots USING (key)
            """.formatted(ON_THE_MOVE.formatted("boots"), COLUMNS);

    /** Params: those of {@link #TAKING}. One that is due. Zero rows: none is. */
    static final String TAKE_DUE = TAKING.formatted("""
            open_boots.key = (
                    SELECT key FROM open_boots WHERE lease_until < now()
                     ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED)""");

    /** Params: 1 tokens, 2 lease in seconds. The tokens that still count. */
    static final String RENEW = """
            UPDATE open_boots SET lease_until = now() + make_interval(secs => $2)
             WHERE token = ANY($1)
            RETURNING token
            """;

    /**
     * Params: 1 token, 2 lease in seconds, 3 whether a release is about to be sent; false once it was answered. Zero rows:
     * token lost.
     */
    static final String RELEASE = """
            UPDATE open_boots SET lease_until = now() + make_interval(secs => $2), release_sent = $3
             WHERE token = $1
            """;

    /**
     * Records under which Berth itself gives up what an instance holds. Of an instance that was given up elsewhere a claim of
     * before is not told from what others claim for it: all that is known of it is its sum.
     */
    private static final String GIVES_UP = "boots.key ~ '^(reschedule|unshelve|delete):'";

    /**
     * Params: 1 key. The instances that the boot has the word for, and what claims of earlier ones may come to that could
     * commit when it began; null where there are none, where the boot did not give its instance up, and for a deletion that
     * has not yet.
     */
    static final String OWNED = """
            SELECT boot_instances.instance, kept #>> '{}' AS kept,
                   CASE WHEN boots.resources <> '{}' AND %s THEN late_claims.resources #>> '{}' END AS late
              FROM boots CROSS JOIN unnest(boots.instances) AS member
              JOIN boot_instances ON boot_instances.instance = member
              LEFT JOIN late_claims
                     ON late_claims.instance = boot_instances.instance AND late_claims.until > boots.begun_at
             WHERE boots.key = $1 AND boot_instances.key = boots.key
            """.formatted(GIVES_UP);

    /** Params, one element per boot: 1 keys, 2 tokens. Their answers are what was planned. */
    static final String AS_PLANNED = "DELETE FROM open_boots WHERE key = ANY($1) AND token = ANY($2)";

    /**
     * Params: 1 key, 2 token. The boot goes another way than planned: what is found of it is no answer from now on. Zero
     * rows: token lost, or somebody has seen it as planned.
     */
    static final String LEAVE_PLAN = """
            WITH held AS (
                SELECT key FROM open_boots WHERE key = $1 AND token = $2 FOR UPDATE),
            unanswered AS (
                UPDATE boots SET answer = NULL FROM held WHERE boots.key = held.key)
            SELECT key FROM held
            """;

    /**
     * Claims that may commit behind what is placed. For {@link String#formatted}: a common table expression with instances,
     * resources and late_until, null for none.
     */
    private static final String NOTED = """
            late AS (
                INSERT INTO late_claims AS known (instance, until, resources)
                SELECT member, late_until, resources
                  FROM %s, unnest(instances) AS member
                 WHERE late_until > now()
                 ORDER BY member
                ON CONFLICT (instance) DO UPDATE
                   SET until = greatest(known.until, excluded.until),
                       resources = CASE WHEN known.until <= now() OR known.resources = excluded.resources
                                        THEN excluded.resources
                                        ELSE '[]' || known.resources || excluded.resources END)
            """;

    /**
     * Params: 1 key. What was planned has come about, whoever works on it. Zero rows: it is closed, or goes another way by
     * now ({@link #LEAVE_PLAN}), which the lock of its row shows even when that was waited for; or it is being released.
     */
    static final String SEEN_AS_PLANNED = """
            WITH held AS (
                SELECT key FROM open_boots
                 WHERE key = $1 AND NOT (release_sent OR releasing AND coalesce(doubt_until > now(), false))
                   FOR UPDATE),
            planned AS (
                SELECT key, instances, resources FROM boots JOIN held USING (key)
                 WHERE answer IS NOT NULL FOR UPDATE OF boots),
            closed AS (
                DELETE FROM open_boots USING planned WHERE open_boots.key = planned.key
                RETURNING instances, resources, doubt_until AS late_until),
            %s
            SELECT key FROM planned
            """.formatted(NOTED.formatted("closed"));

    /**
     * A boot is closed with its answer. Params: 1 key, 2 token, 3 answer, 6 seconds in which another claim of it may still
     * commit, 0 for none.
     */
    private static final String CLOSED = """
            closed AS (
                DELETE FROM open_boots WHERE key = $1 AND token = $2
                RETURNING key, greatest(
                        doubt_until, CASE WHEN $6::float8 > 0 THEN now() + make_interval(secs => $6) END) AS late_until),
            placed AS (
                UPDATE boots SET answer = $3 FROM closed WHERE boots.key = closed.key
                RETURNING boots.key, instances, resources, late_until),
            """;

    private static final String JOINED = JoinedGroup.of("placed", "placed.key");

    private static final String LATE = NOTED.formatted("placed");

    /** {@link #PLACED}, with room for what is said of a server group. */
    private static final String PLACE = """
            WITH %s
            %s
            registered AS (
                INSERT INTO instances (uuid, body, declared)
                SELECT member.uuid, cast(member.body AS jsonb), false
                  FROM placed, unnest($4::uuid[], $5::text[]) AS member(uuid, body)
                 ORDER BY member.uuid
                ON CONFLICT (uuid) DO UPDATE SET body = excluded.body, version = instances.version + 1),
            %s
            SELECT key FROM placed
            """;

    /**
     * Params: those of {@link #CLOSED}, 4 instances, 5 their records in the registry as JSON text. Zero rows: token lost.
     */
    static final String PLACED = PLACE.formatted(CLOSED, "", LATE);

    /** As {@link #PLACED}, of members of a server group. */
    static final String SEATED = PLACE.formatted(CLOSED, JOINED, LATE);

    /** {@link #RESCHEDULED}, with room for what is said of a server group. */
    private static final String RESCHEDULE = """
            WITH %s
            %s
            followed AS (
                INSERT INTO instances (uuid, body, declared)
                SELECT $4, cast($5::text AS jsonb), false FROM placed
                ON CONFLICT (uuid) DO UPDATE
                   SET body = instances.body || excluded.body, version = instances.version + 1),
            %s
            SELECT key FROM placed
            """;

    /**
     * Params: those of {@link #CLOSED}, 4 instance, 5 its host and node as JSON text. The instance is registered
     * there now, also one that was unregistered when it gave its host up. Zero rows: token lost.
     */
    static final String RESCHEDULED = RESCHEDULE.formatted(CLOSED, "", LATE);

    /** As {@link #RESCHEDULED}, of a member of a server group. */
    static final String RESEATED = RESCHEDULE.formatted(CLOSED, JOINED, LATE);

    /** Params: 1 host, 2 node name or null for any. One more build failed there since the node's last report. */
    static final String BUILD_FAILED = """
            UPDATE compute_nodes
               SET version = version + 1,
                   body = jsonb_set(body, '{failed_builds}',
                                    to_jsonb(coalesce((body ->> 'failed_builds')::bigint, 0) + 1))
             WHERE host = $1 AND ($2::text IS NULL OR nodename = $2)
            """;

    /**
     * What becomes of an open boot that nobody works on any more. Params: 3 seconds in which a claim may still commit from
     * now on, 0 for none, 4 seconds until it is due again.
     */
    private static final String LEFT_OPEN = """
            SET token = NULL, attempts = attempts + 1, lease_until = now() + make_interval(secs => $4), release_sent = false,
                       doubt_until = greatest(%s, CASE WHEN $3::float8 > 0 THEN now() + make_interval(secs => $3) END)""";

    /**
     * Params: 1 key, 2 token, 3 seconds in which a claim may still commit from now on, 0 for none, 4 seconds until it is
     * looked at again if so. Everything is taken back: the registrations are as before, unless somebody else wrote them
     * since. Where a claim may still commit, be it one of before for an instance that it gave up, the boot stays open, as the
     * row says. Zero rows: token lost.
     */
    static final String TAKEN_BACK = """
            WITH held AS (
                SELECT key, late_until, $3::float8 > 0 OR coalesce(greatest(doubt_until, late_until) > now(), false) AS stays
                  FROM open_boots,
                       LATERAL (SELECT max(until) AS late_until
                                  FROM boots, unnest(boots.instances) AS member
                                  JOIN late_claims ON late_claims.instance = member
                                  JOIN boot_instances ON boot_instances.instance = member
                                 WHERE boots.key = open_boots.key AND boot_instances.key = boots.key AND %s) AS late
                 WHERE key = $1 AND token = $2
                   FOR UPDATE OF open_boots),
            postponed AS (
                UPDATE open_boots
                   %s
                  FROM held
                 WHERE open_boots.key = held.key AND held.stays),
            unanswered AS (
                UPDATE boots SET answer = NULL FROM held WHERE boots.key = held.key AND held.stays),
            closed AS (
                DELETE FROM open_boots USING held WHERE open_boots.key = held.key AND NOT held.stays),
            forgotten AS (
                DELETE FROM boots USING held WHERE boots.key = held.key AND NOT held.stays),
            owned AS (
                SELECT boot_instances.instance, boot_instances.before, boot_instances.version
                  FROM held JOIN boots USING (key), unnest(boots.instances) AS member
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
                DELETE FROM server_group_seats USING held
                 WHERE server_group_seats.holder = held.key AND NOT held.stays),
            left_alone AS (
                DELETE FROM boot_instances USING owned, held
                 WHERE boot_instances.instance = owned.instance AND NOT held.stays
                   -- A move that is open still has the word.
                   AND NOT EXISTS (SELECT FROM moves
                                    WHERE moves.instance_uuid = owned.instance AND moves.state = 'started')),
            looked_at_again AS (
                UPDATE boot_instances SET version = NULL
                  FROM owned, held
                 WHERE boot_instances.instance = owned.instance AND held.stays)
            SELECT stays FROM held
            """.formatted(GIVES_UP, LEFT_OPEN.formatted("doubt_until, late_until"));

    /**
     * Params: 1 key, 2 token, 3 seconds in which a claim may still commit from now on, 0 for none, 4 seconds until it is
     * due again, 5 whether the caller is told that it failed, 6 whether what may still commit is a release: of either it
     * will not do as planned any more.
     */
    static final String POSTPONE = """
            WITH postponed AS (
                UPDATE open_boots
                   %s, releasing = releasing OR $6
                 WHERE key = $1 AND token = $2
                RETURNING key)
            UPDATE boots SET answer = NULL FROM postponed WHERE boots.key = postponed.key AND ($5 OR $6)
            """.formatted(LEFT_OPEN.formatted("doubt_until"));

    /**
     * Params: 1 instances, 2 key. They go their own way: what else is placed has no word for them any more. What is open
     * keeps it, as a claim of it may still commit: a row for each instance of another record than that of the key.
     */
    static final String LEAVE = """
            WITH their AS (
                SELECT boot_instances.instance, boot_instances.key, open_boots.key IS NOT NULL AS open
                  FROM boot_instances
                  LEFT JOIN open_boots USING (key)
                 WHERE boot_instances.instance = ANY($1)),
            left_alone AS (
                DELETE FROM boot_instances USING their
                 WHERE boot_instances.instance = their.instance AND boot_instances.key = their.key
                   AND NOT their.open AND their.key <> $2)
            SELECT instance FROM their WHERE open AND key <> $2
            """;

    /**
     * Params: 1 seconds to keep, 2 most to remove. One row per boot that is gone. ARRAY has them looked for once: a plan
     * that is made while few are known looks for them again for each boot otherwise.
     */
    static final String PRUNE = """
            WITH old AS (
                DELETE FROM boots
                 WHERE key = ANY(ARRAY(
                        SELECT key FROM boots
                         WHERE begun_at < now() - make_interval(secs => $1)
                           AND NOT EXISTS (SELECT FROM open_boots WHERE open_boots.key = boots.key)
                         ORDER BY begun_at LIMIT $2))
                RETURNING key, instances),
            left_alone AS (
                DELETE FROM boot_instances USING old
                 WHERE boot_instances.instance = ANY(old.instances) AND boot_instances.key = old.key),
            late AS (
                DELETE FROM late_claims WHERE until < now() - interval '5 minutes')
            SELECT key FROM old
            """;

    /** No params. One row: open boots and moves that nobody works on. */
    static final String COUNT = """
            WITH left_open AS (
                SELECT begun_at AS since, token IS NULL OR lease_until < now() AS ownerless FROM open_boots JOIN boots USING (key)
                UNION ALL
                SELECT changed_at, number IS NULL OR lease_until < now() FROM moves WHERE state IN ('started', 'reverting'))
            SELECT count(*)::float8 AS count,
                   coalesce(extract(epoch FROM now() - min(since)), 0)::float8 AS oldest_seconds
              FROM left_open
             WHERE ownerless
            """;

    private final Pool pool;

    BootStore(@ReactiveDataSource("decisions") Pool pool) {
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
                .addArrayOfString(texts(starts, start -> start.asked().key()))
                .addArrayOfString(texts(starts, start -> start.asked().shape()))
                .addArrayOfUUID(starts.stream().map(Start::token).toArray(UUID[]::new))
                .addArrayOfString(texts(starts, Start::resources))
                .addArrayOfString(texts(starts, Start::answer))
                .addArrayOfString(texts(starts, start -> start.asked().requestId()))
                .addArrayOfString(texts(starts, start -> start.asked().instances().stream()
                        .map(UUID::toString)
                        .collect(Collectors.joining(",", "{", "}"))))
                .addArrayOfString(texts(starts, Start::kept))
                .addArrayOfString(texts(starts, Start::registration))
                .addDouble(leaseSeconds);
        return pool.preparedQuery(START).execute(params).map(rows -> {
            Map<UUID, Long> owned = new HashMap<>();
            rows.forEach(row -> owned.put(row.getUUID("token"), row.getLong("owned")));
            return owned;
        });
    }

    private static String[] texts(List<Start> starts, Function<Start, String> text) {
        return starts.stream().map(text).toArray(String[]::new);
    }

    /** Null if it is not open, or somebody works on it. */
    Uni<Boot> take(String key, double leaseSeconds, double doubtSeconds) {
        return pool.preparedQuery(TAKE)
                .execute(Tuple.of(UUID.randomUUID(), leaseSeconds, doubtSeconds, key))
                .map(BootStore::first);
    }

    /**
     * One that is placed, to be taken back. Null if somebody else did meanwhile, or moves its instances, or if a claim of before
     * may still commit.
     *
     * @param isInTheWay of another of the same key
     * @param isRetracted as nobody took its answer; else its instances hold nothing
     */
    Uni<Boot> reopen(String key, double leaseSeconds, boolean isInTheWay, boolean isRetracted) {
        return pool.preparedQuery(REOPEN)
                .execute(Tuple.of(key, UUID.randomUUID(), leaseSeconds, isInTheWay, isRetracted))
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

    /**
     * Asked before each release: whether the token still counts, and then for a whole lease again. Whoever finds the boot
     * left without a word of what came of the release waits for it. False if somebody else took the boot over.
     */
    Uni<Boolean> mayRelease(UUID token) {
        return releasing(token, true);
    }

    /** What was to be released is gone, and the boot goes on. */
    Uni<Void> released(UUID token) {
        return releasing(token, false).replaceWithVoid();
    }

    private Uni<Boolean> releasing(UUID token, boolean isSent) {
        return pool.preparedQuery(RELEASE)
                .execute(Tuple.of(token, (double) Leases.LEASE.toSeconds(), isSent))
                .map(rows -> rows.rowCount() > 0);
    }

    Uni<List<Boot.Owned>> owned(Boot boot) {
        return pool.preparedQuery(OWNED).execute(Tuple.of(boot.key())).map(rows -> {
            List<Boot.Owned> owned = new ArrayList<>();
            rows.forEach(row -> {
                String late = row.getString("late");
                owned.add(new Boot.Owned(
                        row.getUUID("instance"), allocations(row.getString("kept")), late == null ? Set.of() : Resources.parse(late)));
            });
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

    /** False if it was closed meanwhile, or goes another way. */
    Uni<Boolean> seenAsPlanned(Boot boot) {
        return pool.preparedQuery(SEEN_AS_PLANNED).execute(Tuple.of(boot.key())).map(rows -> rows.size() > 0);
    }

    /** False if somebody else took the boot over, or saw it as planned: then nothing of it is the caller's. */
    Uni<Boolean> leavePlan(String key, UUID token) {
        return pool.preparedQuery(LEAVE_PLAN).execute(Tuple.of(key, token)).map(rows -> rows.size() > 0);
    }

    /**
     * @param areSeated whether the instances took seats in a server group, which they join now
     * @param doubtSeconds in which another claim of it may still commit from now on; 0 for none
     * @return false if somebody else took the boot over meanwhile
     */
    Uni<Boolean> placed(
            String key,
            UUID token,
            @Nullable String answer,
            List<UUID> instances,
            List<String> bodies,
            boolean areSeated,
            double doubtSeconds) {
        return pool.preparedQuery(areSeated ? SEATED : PLACED)
                .execute(Tuple.tuple()
                        .addString(key)
                        .addUUID(token)
                        .addString(answer)
                        .addArrayOfUUID(instances.toArray(UUID[]::new))
                        .addArrayOfString(bodies.toArray(String[]::new))
                        .addDouble(doubtSeconds))
                .map(rows -> rows.size() > 0);
    }

    /** As {@link #placed}. */
    Uni<Boolean> rescheduled(
            String key, UUID token, String answer, UUID instance, String place, boolean isSeated, double doubtSeconds) {
        return pool.preparedQuery(isSeated ? RESEATED : RESCHEDULED)
                .execute(Tuple.of(key, token, answer, instance, place, doubtSeconds))
                .map(rows -> rows.size() > 0);
    }

    Uni<Void> buildFailed(String host, @Nullable String nodename) {
        return pool.preparedQuery(BUILD_FAILED).execute(Tuple.of(host, nodename)).replaceWithVoid();
    }

    /**
     * Whether it stays open, as a claim may still commit.
     *
     * @param doubtSeconds in which one may from now on; 0 for none
     */
    Uni<Boolean> takenBack(String key, UUID token, double doubtSeconds, double againSeconds) {
        return pool.preparedQuery(TAKEN_BACK)
                .execute(Tuple.of(key, token, doubtSeconds, againSeconds))
                .map(rows -> rows.size() > 0 && rows.iterator().next().getBoolean("stays"));
    }

    /**
     * @param failing whether the caller is told that it failed
     * @param came of the attempt to release what it holds
     */
    Uni<Void> postpone(
            String key, UUID token, double doubtSeconds, double againSeconds, boolean failing, Releases.Outcome came) {
        boolean isReleasing = came == Releases.Outcome.UNHEARD;
        double doubt = isReleasing ? Leases.CLAIM_MAY_COMMIT.toSeconds() : doubtSeconds;
        return pool.preparedQuery(POSTPONE)
                .execute(Tuple.of(key, token, doubt, againSeconds, failing, isReleasing))
                .replaceWithVoid();
    }

    /**
     * @param key of a record that keeps its word for them; empty for none
     * @return those of which another record is open, and that stay with it
     */
    Uni<List<UUID>> leave(List<UUID> instances, String key) {
        return pool.preparedQuery(LEAVE).execute(Tuple.of(instances.toArray(UUID[]::new), key)).map(rows -> {
            List<UUID> open = new ArrayList<>(rows.size());
            rows.forEach(row -> open.add(row.getUUID("instance")));
            return open;
        });
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
                Resources.parse(row.getString("resources")),
                row.getString("answer"),
                row.getString("request_id"),
                row.getBoolean("open"),
                row.getUUID("token"),
                row.getBoolean("worked_on"),
                row.getBoolean("in_doubt"),
                row.getBoolean("releasing"),
                row.getInteger("attempts"));
    }
}
