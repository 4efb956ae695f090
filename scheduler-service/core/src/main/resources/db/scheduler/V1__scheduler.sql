-- The tables of the scheduler. Trigger functions qualify table names with the schema, because operators' SQL and a
-- restore run them without the service's search path.

-- 1. The registry: data about hosts that placement does not have. A record is stored as its JSON body. Columns that are
-- unique or searched are generated from the body, so that both always agree. The column version counts the changes of a
-- record and is its ETag.

CREATE TABLE cells (
    uuid    uuid   PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0,
    body    jsonb  NOT NULL,
    name    text   GENERATED ALWAYS AS (body ->> 'name') STORED NOT NULL UNIQUE
);

CREATE TABLE compute_nodes (
    uuid      uuid   PRIMARY KEY,
    version   bigint NOT NULL DEFAULT 0,
    body      jsonb  NOT NULL,
    host      text   GENERATED ALWAYS AS (body ->> 'host') STORED NOT NULL,
    nodename  text   GENERATED ALWAYS AS (coalesce(body ->> 'nodename', body ->> 'host')) STORED NOT NULL,
    cell_uuid text   GENERATED ALWAYS AS (body ->> 'cell_uuid') STORED,
    UNIQUE (host, nodename)
);

CREATE TABLE services (
    uuid           uuid        PRIMARY KEY,
    version        bigint      NOT NULL DEFAULT 0,
    body           jsonb       NOT NULL,
    host           text        GENERATED ALWAYS AS (body ->> 'host') STORED NOT NULL UNIQUE,
    -- Not part of the body, because heartbeats arrive every few seconds and must not change the record's version.
    last_heartbeat timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50); -- Leaves space on each page for the row version that a heartbeat writes (HOT update).

CREATE TABLE host_aggregates (
    uuid    uuid   PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0,
    body    jsonb  NOT NULL,
    name    text   GENERATED ALWAYS AS (body ->> 'name') STORED NOT NULL UNIQUE
);

CREATE TABLE server_groups (
    uuid    uuid   PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0,
    body    jsonb  NOT NULL
);

CREATE TABLE instances (
    uuid     uuid    PRIMARY KEY,
    version  bigint  NOT NULL DEFAULT 0,
    body     jsonb   NOT NULL,
    host     text    GENERATED ALWAYS AS (body ->> 'host') STORED NOT NULL,
    -- True if a client registered the instance, and the instance was never seen to hold allocations. Such an instance
    -- keeps its registration although it holds no allocations.
    declared boolean NOT NULL DEFAULT true
);
CREATE INDEX instances_by_host ON instances (host);
CREATE INDEX instances_by_name ON instances ((body ->> 'name')) WHERE (body ->> 'name') IS NOT NULL;

-- Changes of records, with the transaction of each change. Replicas read the changes that their snapshot does not
-- contain yet. Triggers insert the rows, so that no writer can omit one. The collection is the table's name, which is
-- also that of its REST route.
CREATE TABLE registry_changes (
    xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
    collection text        NOT NULL,
    uuid       uuid        NOT NULL,
    at         timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX registry_changes_by_xid ON registry_changes (xid);
CREATE INDEX registry_changes_by_time ON registry_changes (at);

-- Heartbeats: one row per statement, with the services whose heartbeat the statement stored. Rows are deleted after a
-- minute; a replica whose snapshot is older reads last_heartbeat of all services.
CREATE TABLE heartbeats (
    xid      xid8        NOT NULL DEFAULT pg_current_xact_id(),
    services uuid[]      NOT NULL,
    at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX heartbeats_by_xid ON heartbeats (xid);
CREATE INDEX heartbeats_by_time ON heartbeats (at);

-- The newest transactions whose changes and whose heartbeats may have been deleted. A replica whose snapshot is older
-- reads the whole registry.
CREATE TABLE registry_pruned (
    only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    xid            xid8    NOT NULL,
    heartbeats_xid xid8    NOT NULL DEFAULT '0'
);
INSERT INTO registry_pruned (xid) VALUES ('0');

CREATE FUNCTION record_registry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scheduler.registry_changes (collection, uuid) VALUES (TG_TABLE_NAME, coalesce(NEW.uuid, OLD.uuid));
    RETURN NULL;
END
$$;

CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON cells
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON compute_nodes
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
-- The list of columns excludes heartbeats, which update last_heartbeat only.
CREATE TRIGGER changed AFTER INSERT OR UPDATE OF version, body OR DELETE ON services
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON host_aggregates
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON server_groups
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON instances
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();

CREATE FUNCTION record_heartbeats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scheduler.heartbeats (services) SELECT array_agg(uuid) FROM heard HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER heard AFTER UPDATE ON services REFERENCING NEW TABLE AS heard
    FOR EACH STATEMENT EXECUTE FUNCTION record_heartbeats();

-- 2. Members of server groups, and server-group reservations.

-- Members of registered groups, and of groups that are known from requests only. For the latter, policy and
-- max_server_per_host are those of the request.
CREATE TABLE server_group_members (
    server_group        uuid   NOT NULL,
    instance            uuid   NOT NULL,
    -- Defines the order of members in the group's list.
    place               bigint GENERATED ALWAYS AS IDENTITY,
    policy              text,
    max_server_per_host bigint,
    PRIMARY KEY (server_group, instance)
);
CREATE INDEX server_group_members_by_instance ON server_group_members (instance);

-- Hosts that members are about to claim, and source hosts of members that move. A member whose registration names the
-- host needs no reservation on that host.
CREATE TABLE server_group_reservations (
    server_group        uuid        NOT NULL,
    host                text        NOT NULL,
    instance            uuid        NOT NULL,
    -- The record that makes and deletes the reservation: the key of a placement request, or "move:" and the migration's
    -- uuid.
    holder              text        NOT NULL,
    -- True for a source reservation, which stays until the instance's allocations on the source host are released.
    leaving             boolean     NOT NULL,
    -- Unused since members are counted per host; null.
    nodename            text,
    -- For a source reservation: the consumer of the allocations on the source host, and their resource providers.
    consumer            uuid,
    providers           uuid[],
    policy              text,
    max_server_per_host bigint,
    taken_at            timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (server_group, host, instance, holder, leaving)
);
CREATE INDEX server_group_reservations_by_holder ON server_group_reservations (holder);
CREATE INDEX server_group_reservations_by_instance ON server_group_reservations (instance);

-- Records a change of members or reservations as a change of the group: one row per group and statement.
CREATE FUNCTION record_group_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scheduler.registry_changes (collection, uuid)
    SELECT DISTINCT 'server_groups', server_group FROM changed;
    RETURN NULL;
END
$$;
CREATE TRIGGER changed_by_insert AFTER INSERT ON server_group_members REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_group_changes();
CREATE TRIGGER changed_by_delete AFTER DELETE ON server_group_members REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_group_changes();
CREATE TRIGGER changed_by_insert AFTER INSERT ON server_group_reservations REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_group_changes();
CREATE TRIGGER changed_by_delete AFTER DELETE ON server_group_reservations REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_group_changes();

-- Deletes the memberships and source reservations of deleted instances, whichever statement deletes them. Reservations
-- of hosts that an open request is about to claim for the instance stay.
CREATE FUNCTION leave_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM scheduler.server_group_members AS member USING gone WHERE member.instance = gone.uuid;
    DELETE FROM scheduler.server_group_reservations AS reservation USING gone
     WHERE reservation.instance = gone.uuid AND reservation.leaving;
    RETURN NULL;
END
$$;
CREATE TRIGGER left_groups AFTER DELETE ON instances REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION leave_groups();

-- Deletes the memberships of deleted groups.
CREATE FUNCTION forget_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM scheduler.server_group_members AS member USING gone WHERE member.server_group = gone.uuid;
    RETURN NULL;
END
$$;
CREATE TRIGGER forgot_members AFTER DELETE ON server_groups REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION forget_members();

-- Server groups as decisions see them: registered groups, and groups that are known from requests only, each with its
-- members and reservations in the body.
CREATE VIEW server_groups_in_use AS
SELECT known.uuid,
       coalesce(server_groups.body, '{}') || jsonb_build_object(
           'registered', server_groups.uuid IS NOT NULL,
           'members', (SELECT coalesce(jsonb_agg(instance), '[]')
                         FROM server_group_members WHERE server_group = known.uuid),
           'reservations', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                'instance', instance, 'host', host, 'nodename', nodename, 'holder', holder,
                                'consumer', consumer, 'providers', providers)), '[]')
                       FROM server_group_reservations WHERE server_group = known.uuid))
           || CASE WHEN server_groups.uuid IS NULL THEN
                  (SELECT jsonb_build_object(
                              'policy', said.policy,
                              'rules', jsonb_strip_nulls(jsonb_build_object(
                                  'max_server_per_host', least(greatest(said.max_server_per_host, 1), 2147483647))))
                     FROM (SELECT policy, max_server_per_host FROM server_group_members
                            WHERE server_group = known.uuid
                            UNION ALL
                           SELECT policy, max_server_per_host FROM server_group_reservations
                            WHERE server_group = known.uuid
                            LIMIT 1) AS said)
              ELSE '{}' END AS body
  FROM (SELECT uuid FROM server_groups
        UNION SELECT server_group FROM server_group_members
        UNION SELECT server_group FROM server_group_reservations) AS known
  LEFT JOIN server_groups ON server_groups.uuid = known.uuid;

-- 3. Requests, moves and deletions that write allocations.

-- Fencing tokens of writes to placement (header Berth-Fence). A replica that begins a record, or becomes its owner,
-- draws the next value, so placement refuses a late write of a former owner by its lower token. Each value stands for
-- 65,536 tokens.
CREATE SEQUENCE fences MAXVALUE 100000000000000;

-- Placement requests. A record is inserted before the request's first claim, so that any replica can complete the
-- request or roll it back, and is kept so that a repeated request gets the same response.
CREATE TABLE request_records (
    -- The client's Idempotency-Key, or a key derived from the instances.
    key          text        PRIMARY KEY,
    -- Digest of the body. A request with the same key and another fingerprint is not a repetition.
    fingerprint  text        NOT NULL,
    instances    uuid[]      NOT NULL,
    -- The response of a placed request. While the request is open, the response if its first claim succeeds, or null.
    answer       text,
    request_id   text        NOT NULL,
    begun_at     timestamptz NOT NULL DEFAULT now(),
    -- The first fencing token of the value that the request drew when it began.
    first_number bigint      NOT NULL DEFAULT 0
);
CREATE INDEX request_records_by_age ON request_records (begun_at);

-- Leases of open request records. A record without a row here is placed; records of failed requests are deleted. This
-- is a separate table so that closing a record does not rewrite the row with its response.
CREATE TABLE request_leases (
    key         text        PRIMARY KEY,
    -- End of the owner's lease. If number is null the record has no owner, and any replica may lease it at that time.
    lease_until timestamptz NOT NULL,
    attempts    integer     NOT NULL DEFAULT 0,
    -- The first fencing token of the owner's value; null if the record has no owner.
    number      bigint
);
CREATE INDEX request_leases_by_lease ON request_leases (lease_until);

-- The record, open or placed, that owns an instance: it determines the allocations that the instance should hold.
CREATE TABLE request_instances (
    instance uuid PRIMARY KEY,
    key      text NOT NULL,
    -- Allocations that the instance holds besides the claim: amount by resource class by provider uuid; null for none.
    kept     jsonb,
    -- The registration before the request (null for none), and the version of the registration that the request wrote
    -- (null if it wrote none).
    before   jsonb,
    version  bigint
);

-- Moves of instances between hosts. A row has the allocations and the registration before the move, so that they can be
-- restored, and the response, so that a repeated request gets the same one.
CREATE TABLE moves (
    migration_uuid  uuid        PRIMARY KEY,
    instance_uuid   uuid        NOT NULL,
    kind            text        NOT NULL CHECK (kind IN ('resize', 'cold', 'live', 'evacuate', 'unshelve')),
    source_uuid     uuid,
    state           text        NOT NULL CHECK (state IN ('started', 'moved', 'failed', 'reverting', 'reverted')),
    -- The instance's allocations before the move, and after it (null until moved): amount by resource class by provider
    -- uuid.
    held_before     jsonb       NOT NULL,
    held_after      jsonb,
    -- The instance's registration before the move; null for none.
    instance_before jsonb,
    answer          text,
    request_id      text        NOT NULL,
    -- End of the owner's lease. If number is null the move has no owner, and any replica may lease it at that time.
    lease_until     timestamptz NOT NULL,
    attempts        integer     NOT NULL DEFAULT 0,
    changed_at      timestamptz NOT NULL DEFAULT now(),
    -- The first fencing tokens of the owner's value (null without an owner), and of the value drawn when the move
    -- began.
    number          bigint,
    first_number    bigint      NOT NULL DEFAULT 0,
    user_id         text,
    begun_at        timestamptz DEFAULT now(),
    confirmed_at    timestamptz
);
CREATE UNIQUE INDEX moves_one_at_a_time ON moves (instance_uuid) WHERE state IN ('started', 'reverting');
CREATE INDEX moves_open_by_lease ON moves (lease_until) WHERE state IN ('started', 'reverting');
CREATE INDEX moves_by_age ON moves (changed_at);
CREATE INDEX moves_by_instance ON moves (instance_uuid);
CREATE INDEX moves_by_number ON moves (first_number, migration_uuid);
CREATE INDEX moves_by_source ON moves (source_uuid, first_number)
    WHERE confirmed_at IS NULL AND state IN ('started', 'moved', 'reverting');

-- Makes an open move the owner of its instance in request_instances. Fails with unique_violation if an open request
-- owns the instance, so a move and a request of the same instance are never open at the same time.
CREATE FUNCTION move_owns_instance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    own text := 'move:' || NEW.migration_uuid;
BEGIN
    IF NEW.state IN ('started', 'reverting') THEN
        DELETE FROM scheduler.request_instances AS known USING scheduler.request_records AS record
         WHERE known.instance = NEW.instance_uuid AND known.key = record.key
           AND NOT EXISTS (SELECT FROM scheduler.request_leases AS lease WHERE lease.key = record.key);
        INSERT INTO scheduler.request_instances AS known (instance, key) VALUES (NEW.instance_uuid, own)
        ON CONFLICT (instance) DO UPDATE SET key = excluded.key WHERE known.key = excluded.key;
        IF NOT FOUND THEN
            RAISE unique_violation USING MESSAGE = 'instance ' || NEW.instance_uuid || ' is being placed';
        END IF;
    ELSE
        DELETE FROM scheduler.request_instances WHERE instance = NEW.instance_uuid AND key = own;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER owns_instance AFTER INSERT OR UPDATE OF state ON moves
    FOR EACH ROW EXECUTE FUNCTION move_owns_instance();

-- Registered instances that may hold no allocations any more and are due for a check, and the last host of instances
-- whose registration was deleted because they held none.
CREATE TABLE instance_cleanups (
    instance            uuid        PRIMARY KEY,
    -- Time of the next check of a registered instance; null if its registration was deleted.
    due_at              timestamptz DEFAULT now(),
    host                text,
    nodename            text,
    at                  timestamptz NOT NULL DEFAULT now(),
    -- The server group of the deleted registration, for a repeated reschedule, which finds no registration. policy and
    -- max_server_per_host are set if the group is not registered.
    server_group        uuid,
    policy              text,
    max_server_per_host bigint,
    -- The deleted registration, which is restored if the instance holds allocations again, as after a move by nova.
    body                jsonb,
    -- Time of the next check whether an unregistered instance holds allocations again; null for no check.
    look_at             timestamptz
);
CREATE INDEX instance_cleanups_due ON instance_cleanups (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX instance_cleanups_by_age ON instance_cleanups (at);
CREATE INDEX instance_cleanups_to_look_at ON instance_cleanups (look_at) WHERE look_at IS NOT NULL;

-- Progress of the comparison of registered instances with placement, which one replica at a time performs.
CREATE TABLE cleanup_progress (
    only_row       boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
    -- Identifies the turn in progress; null between turns.
    token          uuid,
    -- End of the lease of the turn in progress, or time of the next turn.
    due_at         timestamptz NOT NULL DEFAULT now(),
    -- Position up to which placement's log of releases was read, as placement returned it; null before the first read.
    released_until text,
    -- Last instance of the previous page.
    compared_until uuid        NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO cleanup_progress DEFAULT VALUES;

-- 4. The placement sync: hosts whose state in placement may differ from the registry, one row per host, so that only
-- one replica at a time writes a host's changes to placement. A row states which parts may differ; the wanted values
-- are read from the registry when they are written.

CREATE TABLE sync_outbox (
    host          text        PRIMARY KEY,
    -- Whether the disabled state of the service may differ.
    status        boolean     NOT NULL DEFAULT false,
    -- Aggregates whose membership may differ, and compute nodes whose reported inventories or traits may differ.
    aggregates    uuid[]      NOT NULL DEFAULT '{}',
    compute_nodes uuid[]      NOT NULL DEFAULT '{}',
    -- Incremented by every change of the registry, so that a change during an attempt keeps the row.
    revision      bigint      NOT NULL DEFAULT 0,
    since         timestamptz NOT NULL DEFAULT now(),
    next_at       timestamptz NOT NULL DEFAULT now(),
    -- End of the lease of the replica that works on the host; null without a lease.
    leased_until  timestamptz,
    attempts      integer     NOT NULL DEFAULT 0,
    last_error    text,
    last_error_at timestamptz,
    -- Whether a write of an earlier attempt had no response, so that it may still commit.
    in_doubt      boolean     NOT NULL DEFAULT false
);
CREATE INDEX sync_outbox_by_time ON sync_outbox (next_at);

-- Deleted compute nodes, with the aggregates that their providers may have in placement. While a node is not
-- registered, its provider is found by the host's name only, and may be missed. The memberships are compared when the
-- node is registered again. Rows are deleted after 90 days.
CREATE TABLE unregistered_nodes (
    node       uuid        PRIMARY KEY,
    aggregates uuid[]      NOT NULL,
    at         timestamptz NOT NULL DEFAULT now()
);

-- Makes a host due: inserts its row, or adds the parts to the existing row.
CREATE FUNCTION sync_host(changed_host text, its_status boolean, its_aggregates uuid[], its_nodes uuid[])
RETURNS void LANGUAGE sql AS $$
    INSERT INTO scheduler.sync_outbox AS pending (host, status, aggregates, compute_nodes)
    VALUES (changed_host, its_status, its_aggregates, its_nodes)
    ON CONFLICT (host) DO UPDATE
       SET status = pending.status OR excluded.status,
           aggregates = ARRAY(SELECT unnest(pending.aggregates) UNION SELECT unnest(excluded.aggregates)),
           compute_nodes = ARRAY(SELECT unnest(pending.compute_nodes) UNION SELECT unnest(excluded.compute_nodes)),
           revision = pending.revision + 1,
           next_at = now(),
           attempts = 0
$$;

-- Returns the aggregates whose list of hosts contains the member.
CREATE FUNCTION aggregates_of(member text) RETURNS uuid[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT uuid FROM scheduler.host_aggregates WHERE body -> 'hosts' ? member)
$$;

-- Makes the hosts of a changed service due. A host without a service counts as enabled.
CREATE FUNCTION sync_service() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND (TG_OP = 'DELETE' OR NEW.host <> OLD.host) THEN
        PERFORM scheduler.sync_host(OLD.host, true, '{}', '{}');
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM scheduler.sync_host(NEW.host, true, '{}', '{}');
    END IF;
    RETURN NULL;
END
$$;

-- Makes hosts that were added to or removed from an aggregate due, with one statement in the order of their names, so
-- that two transactions cannot deadlock.
CREATE FUNCTION sync_aggregate() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    aggregate  uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.uuid ELSE NEW.uuid END;
    before     jsonb := '[]';
    afterwards jsonb := '[]';
BEGIN
    IF TG_OP <> 'INSERT' AND jsonb_typeof(OLD.body -> 'hosts') = 'array' THEN
        before := OLD.body -> 'hosts';
    END IF;
    IF TG_OP <> 'DELETE' AND jsonb_typeof(NEW.body -> 'hosts') = 'array' THEN
        afterwards := NEW.body -> 'hosts';
    END IF;
    INSERT INTO scheduler.sync_outbox AS pending (host, aggregates)
    SELECT name, ARRAY[aggregate] FROM (
        (SELECT jsonb_array_elements_text(before) AS name EXCEPT SELECT jsonb_array_elements_text(afterwards))
        UNION
        (SELECT jsonb_array_elements_text(afterwards) EXCEPT SELECT jsonb_array_elements_text(before))) AS moved
     ORDER BY name
    ON CONFLICT (host) DO UPDATE
       SET aggregates = ARRAY(SELECT unnest(pending.aggregates) UNION SELECT unnest(excluded.aggregates)),
           revision = pending.revision + 1,
           next_at = now(),
           attempts = 0;
    RETURN NULL;
END
$$;

-- Makes the host of a changed compute node due. The node's report is pending if it has inventories or traits. If the
-- node is new on this host, the service's state and the memberships of the host are pending, too. If the node comes
-- from another host, the memberships of that host, including pending ones, must be removed from the node's provider.
CREATE FUNCTION sync_compute_node() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    node uuid[] := CASE WHEN NEW.body -> 'inventories' IS NULL AND NEW.body -> 'traits' IS NULL
                        THEN '{}' ELSE ARRAY[NEW.uuid] END;
    memberships uuid[] := '{}';
    remembered uuid[];
    moved boolean := TG_OP = 'INSERT';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        moved := NEW.host <> OLD.host;
    END IF;
    IF moved THEN
        memberships := scheduler.aggregates_of(NEW.host);
        IF TG_OP = 'UPDATE' THEN
            memberships := memberships || scheduler.aggregates_of(OLD.host)
                || coalesce((SELECT aggregates FROM scheduler.sync_outbox WHERE host = OLD.host), '{}');
        ELSE
            DELETE FROM scheduler.unregistered_nodes WHERE unregistered_nodes.node = NEW.uuid
            RETURNING aggregates INTO remembered;
            memberships := memberships || remembered;
        END IF;
    END IF;
    IF node <> '{}' OR memberships <> '{}' OR (moved AND (TG_OP = 'UPDATE' OR remembered IS NOT NULL OR EXISTS (
            SELECT FROM scheduler.services WHERE host = NEW.host AND body ->> 'disabled' = 'true'))) THEN
        PERFORM scheduler.sync_host(NEW.host, moved, memberships, node);
    END IF;
    RETURN NULL;
END
$$;

-- Stores the memberships of deleted compute nodes in unregistered_nodes.
CREATE FUNCTION remember_compute_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM scheduler.unregistered_nodes
     WHERE node IN (SELECT node FROM scheduler.unregistered_nodes
                     WHERE at < now() - interval '90 days' FOR UPDATE SKIP LOCKED);
    INSERT INTO scheduler.unregistered_nodes (node, aggregates)
    SELECT uuid, ARRAY(SELECT unnest(scheduler.aggregates_of(gone.host))
                       UNION
                       SELECT unnest(aggregates) FROM scheduler.sync_outbox WHERE sync_outbox.host = gone.host)
      FROM gone
     ORDER BY uuid
    ON CONFLICT (node) DO UPDATE SET aggregates = excluded.aggregates, at = excluded.at;
    RETURN NULL;
END
$$;

-- The list of columns excludes heartbeats, which do not update the body.
CREATE TRIGGER synced AFTER INSERT OR DELETE OR UPDATE OF body ON services
    FOR EACH ROW EXECUTE FUNCTION sync_service();
CREATE TRIGGER synced AFTER INSERT OR DELETE OR UPDATE OF body ON host_aggregates
    FOR EACH ROW EXECUTE FUNCTION sync_aggregate();
CREATE TRIGGER synced AFTER INSERT OR UPDATE OF body ON compute_nodes
    FOR EACH ROW EXECUTE FUNCTION sync_compute_node();
CREATE TRIGGER remembered AFTER DELETE ON compute_nodes REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION remember_compute_nodes();

-- 5. Decision records, in a ring of 16 partitions. Records are inserted into one partition; when the next partition's
-- turn comes, it is truncated first. So rows are not deleted one by one, and no table is created while the service
-- runs. The table decisions has short rows by which records are found; decision_contents has the contents of all
-- records of one INSERT in one compressed value.

CREATE TABLE decisions (
    part         smallint NOT NULL,
    -- A uuid of version 7, which begins with the time of the decision, so that ids are in the order of time.
    id           uuid     NOT NULL,
    kind         text     NOT NULL,
    result       text     NOT NULL,
    project      text,
    flavor       text,
    instances    uuid[]   NOT NULL,
    -- The selected hosts.
    hosts        text[]   NOT NULL,
    -- Id of the row of decision_contents. Its content has, beginning at byte start: the record's body, the offered
    -- hosts, the request body. The sizes are in bytes.
    contents     uuid     NOT NULL,
    start        integer  NOT NULL,
    body_size    integer  NOT NULL,
    -- Null if the offered hosts are unknown.
    offered_size integer,
    -- Null if there was no request body, or it was too large.
    request_size integer,
    -- The name of the instance, or the common prefix of the names of several instances.
    name         text
) PARTITION BY LIST (part);

-- The contents of all decision records that one statement inserted.
CREATE TABLE decision_contents (
    part    smallint NOT NULL,
    id      uuid     NOT NULL,
    -- The hosts of all decisions in this row, four bytes each, in the format of record.OfferedHosts.
    hosts   bytea    NOT NULL,
    -- The concatenated contents: bodies are JSON (record.RecordBody), offered hosts are bits that refer to the column
    -- hosts, request bodies are as clients sent them.
    content bytea    NOT NULL
) PARTITION BY LIST (part);

-- The column hosts is not compressed, because its bytes are nearly random. The column content is compressed with lz4,
-- or not at all if the server has no lz4, because compression with pglz would take two thirds of PostgreSQL's CPU time
-- for a record.
ALTER TABLE decision_contents ALTER COLUMN hosts SET STORAGE EXTERNAL;
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE decision_contents ALTER COLUMN content SET COMPRESSION lz4;
    ELSE
        ALTER TABLE decision_contents ALTER COLUMN content SET STORAGE EXTERNAL;
    END IF;
    -- Rows are only inserted until a partition is truncated, so vacuum has nothing to do, and statistics are good
    -- enough until a partition has doubled. record.RecordStore creates missing partitions with the same options.
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE decisions_%s PARTITION OF decisions FOR VALUES IN (%s)'
                       ' WITH (autovacuum_vacuum_insert_threshold = -1, toast.autovacuum_vacuum_insert_threshold = -1,'
                       ' autovacuum_analyze_scale_factor = 1)', part, part);
        EXECUTE format('CREATE TABLE decision_contents_%s PARTITION OF decision_contents FOR VALUES IN (%s)'
                       ' WITH (autovacuum_vacuum_insert_threshold = -1, toast.autovacuum_vacuum_insert_threshold = -1,'
                       ' autovacuum_analyze_scale_factor = 1)', part, part);
    END LOOP;
END
$$;

CREATE INDEX decision_contents_by_id ON decision_contents (id);
CREATE INDEX decisions_by_id ON decisions (id);
CREATE INDEX decisions_failed ON decisions (id) WHERE result <> 'selected';
-- Most requests are for one instance, for which this index is smaller and faster than the GIN index.
CREATE INDEX decisions_by_instance ON decisions ((instances[1]));
CREATE INDEX decisions_of_several ON decisions USING gin (instances) WHERE cardinality(instances) > 1;
CREATE INDEX decisions_by_name ON decisions (name, id) WHERE name IS NOT NULL;

-- The state of each partition. Records are inserted into the partition that has begun_at and no ended_at.
CREATE TABLE decision_parts (
    part     smallint    PRIMARY KEY,
    begun_at timestamptz,
    ended_at timestamptz,
    records  bigint      NOT NULL DEFAULT 0
);
INSERT INTO decision_parts (part, begun_at)
SELECT part, CASE part WHEN 0 THEN now() END FROM generate_series(0, 15) AS part;

-- 6. Drains, watched capacity, comparisons of the shadow, and operators' changes.

-- Drains, from their start until an operator ends them. Progress is not stored, but computed from the registry,
-- placement and moves.
CREATE TABLE drains (
    name       text PRIMARY KEY,
    body       jsonb NOT NULL,
    user_id    text,
    request_id text NOT NULL,
    begun_at   timestamptz NOT NULL DEFAULT now()
);

-- The hosts that a drain's selector matched when the drain began. A host is in at most one drain.
CREATE TABLE drain_hosts (
    host           text PRIMARY KEY,
    drain          text NOT NULL REFERENCES drains ON DELETE CASCADE,
    position       integer NOT NULL,
    nodes          uuid[] NOT NULL,
    -- The instances that were registered on the host when the drain began.
    instances      uuid[] NOT NULL,
    -- The service that the drain disabled, or created in order to disable the host (service_is_new); null if the
    -- service was disabled before. The end of the drain enables only this service.
    service        uuid,
    service_is_new boolean NOT NULL DEFAULT false
);
CREATE INDEX drain_hosts_by_drain ON drain_hosts (drain, position);

-- Watched requests: requests whose capacity is counted at intervals. The body is that of PUT
-- /v1/capacity/watches/{name}.
CREATE TABLE capacity_watches (
    name text  PRIMARY KEY,
    body jsonb NOT NULL
);

-- The last count of each watched request, which all replicas export as metrics.
CREATE TABLE capacity_counts (
    name    text  PRIMARY KEY REFERENCES capacity_watches ON DELETE CASCADE,
    body    jsonb NOT NULL,
    counted jsonb NOT NULL
);

-- The lease of the replica that counts.
CREATE TABLE capacity_turns (
    one      boolean     PRIMARY KEY DEFAULT true CHECK (one),
    replica  uuid        NOT NULL,
    taken_at timestamptz NOT NULL
);

-- Comparisons of Berth's selection with nova-scheduler's (berth.nova.shadow), one row per instance. The oldest rows are
-- deleted beyond a maximum age or number.
CREATE TABLE shadow_comparisons (
    -- Id of the decision record of Berth's selection, a uuid that begins with the time.
    decision    uuid   NOT NULL,
    instance    uuid   NOT NULL,
    verdict     text   NOT NULL,
    -- Why the selections differ, or cannot be compared.
    reason      text,
    -- The filter or weigher that caused the difference.
    made_by     text,
    host        text,
    nova_host   text,
    weight      float8,
    nova_weight float8,
    detail      text,
    -- Milliseconds from the message until Berth's selection, and until Berth detected nova's claim.
    decided_ms  float8 NOT NULL,
    seen_ms     float8,
    PRIMARY KEY (decision, instance)
);

-- Operators' changes, for GET /v1/changes. A missing value is stored as the empty text. The oldest rows are deleted.
CREATE TABLE operator_changes (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    made_at    timestamptz NOT NULL,
    what       text        NOT NULL,
    user_id    text        NOT NULL,
    project_id text        NOT NULL,
    request_id text        NOT NULL,
    old_value  text        NOT NULL,
    new_value  text        NOT NULL
);
CREATE INDEX operator_changes_made_at ON operator_changes (made_at);
