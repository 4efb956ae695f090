-- The scheduler's tables. Functions name the schema before every table, because an operator's own SQL and a restore run
-- without the service's search path.

-- 1. The registry: what the scheduler knows of hosts beyond placement. A record is its JSON body; the columns that must be
-- unique or are searched are generated from it, so that body and columns cannot disagree.

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
    -- Not part of the body: heartbeats arrive every few seconds and do not change the record.
    last_heartbeat timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50); -- A heartbeat's new row stays on its page, so no index changes.

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
    -- Whether a client registered it that may not have claimed for it: it then stays registered until it was seen to hold
    -- allocations.
    declared boolean NOT NULL DEFAULT true
);
CREATE INDEX instances_by_host ON instances (host);
CREATE INDEX instances_by_name ON instances ((body ->> 'name')) WHERE (body ->> 'name') IS NOT NULL;

-- Every committed change of a record, with its transaction: a replica queries the changes that its snapshot does not hold
-- yet. Triggers write it, so that no writer can forget. The collection is the one of the table's REST route.
CREATE TABLE registry_changes (
    xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
    collection text        NOT NULL,
    uuid       uuid        NOT NULL,
    at         timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX registry_changes_by_xid ON registry_changes (xid);
CREATE INDEX registry_changes_by_time ON registry_changes (at);

-- The services that each statement's heartbeats came from: one row a statement. A replica that needs older ones than are
-- kept reads the column of all services.
CREATE TABLE heartbeats (
    xid      xid8        NOT NULL DEFAULT pg_current_xact_id(),
    services uuid[]      NOT NULL,
    at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX heartbeats_by_xid ON heartbeats (xid);
CREATE INDEX heartbeats_by_time ON heartbeats (at);

-- Changes and heartbeats of transactions up to these may have been deleted: a replica that is further behind reads all again.
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
-- Not on heartbeats.
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

-- 2. Members of server groups, and reservations of hosts for them.

-- Also members of groups that only requests name and that are not registered: the policy that the requests gave stands with them.
CREATE TABLE server_group_members (
    server_group        uuid   NOT NULL,
    instance            uuid   NOT NULL,
    -- The order of the list.
    place               bigint GENERATED ALWAYS AS IDENTITY,
    policy              text,
    max_server_per_host bigint,
    PRIMARY KEY (server_group, instance)
);
CREATE INDEX server_group_members_by_instance ON server_group_members (instance);

-- Hosts that members are about to claim, or may return to. A registered member needs no reservation on its host.
CREATE TABLE server_group_reservations (
    server_group        uuid        NOT NULL,
    host                text        NOT NULL,
    instance            uuid        NOT NULL,
    -- The record that makes and removes the reservation: a request's key, or "move:" and the migration.
    holder              text        NOT NULL,
    -- Whether the instance leaves that host: the reservation stays until its allocations there are gone.
    leaving             boolean     NOT NULL,
    -- Null for any node of the host.
    nodename            text,
    -- Of a host that is left: the consumer that holds the allocations there, and their resource providers.
    consumer            uuid,
    providers           uuid[],
    policy              text,
    max_server_per_host bigint,
    taken_at            timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (server_group, host, instance, holder, leaving)
);
CREATE INDEX server_group_reservations_by_holder ON server_group_reservations (holder);
CREATE INDEX server_group_reservations_by_instance ON server_group_reservations (instance);

-- A change of members or reservations is one of the group: one row per group and statement, however many members.
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

-- An instance that is deleted, by any writer, leaves its groups, and no host that it left stays reserved. A host that a
-- request is about to claim for it stays reserved for that request.
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

CREATE FUNCTION forget_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM scheduler.server_group_members AS member USING gone WHERE member.server_group = gone.uuid;
    RETURN NULL;
END
$$;
CREATE TRIGGER forgot_members AFTER DELETE ON server_groups REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION forget_members();

-- Groups as decisions see them: with members and reservations, and including those that only requests name.
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

-- Numbers of writes to placement (its header Berth-Fence): a replica that begins a record or takes it over draws the next
-- one, so a write of a former owner has a lower number and is refused. Each draw stands for 65,536 numbers.
CREATE SEQUENCE fences MAXVALUE 100000000000000;

-- Requests that place instances: written before their first claim, so that any replica can finish them or roll them back,
-- and kept so that a repeated request gets the same response.
CREATE TABLE request_records (
    -- Names the request: its Idempotency-Key, or a digest of its instances.
    key          text        PRIMARY KEY,
    -- A digest of the body: the same key with another fingerprint is another request.
    fingerprint  text        NOT NULL,
    instances    uuid[]      NOT NULL,
    -- Once placed, the response; before, the response if the first claim succeeds, or null.
    answer       text,
    request_id   text        NOT NULL,
    begun_at     timestamptz NOT NULL DEFAULT now(),
    -- The numbers that the request began with: its claims have one of them.
    first_number bigint      NOT NULL DEFAULT 0
);
CREATE INDEX request_records_by_age ON request_records (begun_at);

-- A record is open while it has such a row, else placed; of a request that failed nothing is kept. A short row of its own,
-- so that closing a record does not write its response again.
CREATE TABLE request_leases (
    key         text        PRIMARY KEY,
    -- Until then its owner works on the record. Without a number it has no owner and is due at that time.
    lease_until timestamptz NOT NULL,
    attempts    integer     NOT NULL DEFAULT 0,
    -- The owner's writes to placement have numbers of this draw.
    number      bigint
);
CREATE INDEX request_leases_by_lease ON request_leases (lease_until);

-- The one record, open or placed, that decides what an instance holds.
CREATE TABLE request_instances (
    instance uuid PRIMARY KEY,
    key      text NOT NULL,
    -- What the instance holds beside the claim, provider uuid to resource class to amount; null for nothing.
    kept     jsonb,
    -- Its registration before, null for none, and the version of the registration that this request wrote; null without one.
    before   jsonb,
    version  bigint
);

-- Moves of instances between hosts: what was before, so that it can be restored, and the response, so that a repeated call
-- gets the same.
CREATE TABLE moves (
    migration_uuid  uuid        PRIMARY KEY,
    instance_uuid   uuid        NOT NULL,
    kind            text        NOT NULL CHECK (kind IN ('resize', 'cold', 'live', 'evacuate', 'unshelve')),
    source_uuid     uuid,
    state           text        NOT NULL CHECK (state IN ('started', 'moved', 'failed', 'reverting', 'reverted')),
    -- What the instance held before and, once moved, after: provider uuid to resource class to amount.
    held_before     jsonb       NOT NULL,
    held_after      jsonb,
    -- The instance's registration before; null when it had none.
    instance_before jsonb,
    answer          text,
    request_id      text        NOT NULL,
    -- Until then its owner works on the move. Without a number it has no owner and is due at that time.
    lease_until     timestamptz NOT NULL,
    attempts        integer     NOT NULL DEFAULT 0,
    changed_at      timestamptz NOT NULL DEFAULT now(),
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

-- An open move decides what its instance holds, as an open request does: neither begins while the other is open.
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

-- Instances that may hold nothing in placement any more, and the last places of those that do not.
CREATE TABLE instance_cleanups (
    instance            uuid        PRIMARY KEY,
    -- When it is compared with placement next; null once its registration is gone.
    due_at              timestamptz DEFAULT now(),
    host                text,
    nodename            text,
    at                  timestamptz NOT NULL DEFAULT now(),
    -- A repeated reschedule that gave its host up finds nothing registered: its server group is here, with the policy that
    -- requests gave where the group is not registered.
    server_group        uuid,
    policy              text,
    max_server_per_host bigint,
    -- Its registration: an instance that held nothing for a moment, as in a move of nova's own, is registered again as it was.
    body                jsonb,
    -- When an instance that may be registered again is compared with placement next; else null.
    look_at             timestamptz
);
CREATE INDEX instance_cleanups_due ON instance_cleanups (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX instance_cleanups_by_age ON instance_cleanups (at);
CREATE INDEX instance_cleanups_to_look_at ON instance_cleanups (look_at) WHERE look_at IS NOT NULL;

-- How far the comparison of all registered instances with placement has come: one replica at a time.
CREATE TABLE cleanup_progress (
    only_row       boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
    token          uuid,
    -- Until then another replica does it, or nothing is to be done.
    due_at         timestamptz NOT NULL DEFAULT now(),
    -- The position up to which placement's list of released consumers was read, as placement returned it; null: not read.
    released_until text,
    compared_until uuid        NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO cleanup_progress DEFAULT VALUES;

-- 4. The placement sync: hosts whose state in placement may differ from the registry, one row per host, so that one replica
-- at a time writes to placement what concerns a host. Rows hold what to look at, not what to write: the registry holds that.

CREATE TABLE sync_outbox (
    host          text        PRIMARY KEY,
    -- Whether to look at the service's status.
    status        boolean     NOT NULL DEFAULT false,
    -- Aggregates whose membership to look at, and compute nodes whose report has something for placement.
    aggregates    uuid[]      NOT NULL DEFAULT '{}',
    compute_nodes uuid[]      NOT NULL DEFAULT '{}',
    -- Rises with every change of the registry: a change during a replica's work on the host is not forgotten.
    revision      bigint      NOT NULL DEFAULT 0,
    since         timestamptz NOT NULL DEFAULT now(),
    next_at       timestamptz NOT NULL DEFAULT now(),
    -- A replica works on the host until then; null when none does.
    leased_until  timestamptz,
    attempts      integer     NOT NULL DEFAULT 0,
    last_error    text,
    last_error_at timestamptz,
    -- Whether the outcome of an attempt is unknown: what it sent to placement may still be written.
    in_doubt      boolean     NOT NULL DEFAULT false
);
CREATE INDEX sync_outbox_by_time ON sync_outbox (next_at);

-- While a node is unregistered, a change of its host finds its provider by the host's name alone. The aggregates that the
-- provider may have in placement are kept here and looked at when the node is registered again.
CREATE TABLE unregistered_nodes (
    node       uuid        PRIMARY KEY,
    aggregates uuid[]      NOT NULL,
    at         timestamptz NOT NULL DEFAULT now()
);

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

CREATE FUNCTION aggregates_of(member text) RETURNS uuid[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT uuid FROM scheduler.host_aggregates WHERE body -> 'hosts' ? member)
$$;

-- A host whose service is deleted has no status, which counts as enabled.
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

-- One statement for all hosts, in the order of their names, so that two transactions never wait for each other.
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

-- A report has something for placement when it carries inventories or traits. A node that appears on a host needs the host's
-- status and memberships; one that comes from another host loses the other's. What is pending for the host that a node
-- leaves concerns the node as well, because its provider may not bear that host's name.
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

-- Not on heartbeats: those leave the body alone.
CREATE TRIGGER synced AFTER INSERT OR DELETE OR UPDATE OF body ON services
    FOR EACH ROW EXECUTE FUNCTION sync_service();
CREATE TRIGGER synced AFTER INSERT OR DELETE OR UPDATE OF body ON host_aggregates
    FOR EACH ROW EXECUTE FUNCTION sync_aggregate();
CREATE TRIGGER synced AFTER INSERT OR UPDATE OF body ON compute_nodes
    FOR EACH ROW EXECUTE FUNCTION sync_compute_node();
CREATE TRIGGER remembered AFTER DELETE ON compute_nodes REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION remember_compute_nodes();

-- 5. Records of decisions. The partitions go round: one is written, and the next is emptied as a whole when its turn comes,
-- so that nothing is deleted row by row and no table is made while the service runs. Rows by which records are found are
-- apart from what is read, and short; what was written together lies together and is compressed as one.

CREATE TABLE decisions (
    part         smallint NOT NULL,
    -- Of version 7: it begins with the time of the decision, so ids are in the order of time.
    id           uuid     NOT NULL,
    kind         text     NOT NULL,
    result       text     NOT NULL,
    project      text,
    flavor       text,
    instances    uuid[]   NOT NULL,
    -- The selected hosts.
    hosts        text[]   NOT NULL,
    -- The row of decision_contents, and where in it, in bytes: the body, behind it the offered hosts, behind them the request.
    contents     uuid     NOT NULL,
    start        integer  NOT NULL,
    body_size    integer  NOT NULL,
    -- Null: the offered hosts are unknown.
    offered_size integer,
    -- Null: there was no request body, or it was too large.
    request_size integer,
    -- The name of its instance, or what the names of its instances begin with.
    name         text
) PARTITION BY LIST (part);

-- What one statement wrote.
CREATE TABLE decision_contents (
    part    smallint NOT NULL,
    id      uuid     NOT NULL,
    -- The hosts that any of its decisions looked at, four bytes each: record.OfferedHosts has the format.
    hosts   bytea    NOT NULL,
    -- Bodies are JSON (record.RecordBody), offered hosts bits, requests as clients sent them.
    content bytea    NOT NULL
) PARTITION BY LIST (part);

-- Hosts are as good as random. Content is compressed with lz4; without lz4 it is not, because pglz takes two thirds of what
-- a record costs PostgreSQL.
ALTER TABLE decision_contents ALTER COLUMN hosts SET STORAGE EXTERNAL;
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE decision_contents ALTER COLUMN content SET COMPRESSION lz4;
    ELSE
        ALTER TABLE decision_contents ALTER COLUMN content SET STORAGE EXTERNAL;
    END IF;
    -- Rows are only added until a partition is emptied: vacuum finds nothing to do, and statistics stay good enough until it
    -- is twice as large. record.RecordStore makes a missing partition likewise.
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
-- Most requests are for one instance.
CREATE INDEX decisions_by_instance ON decisions ((instances[1]));
CREATE INDEX decisions_of_several ON decisions USING gin (instances) WHERE cardinality(instances) > 1;
CREATE INDEX decisions_by_name ON decisions (name, id) WHERE name IS NOT NULL;

-- The partition that is written is the one that was begun and has not ended.
CREATE TABLE decision_parts (
    part     smallint    PRIMARY KEY,
    begun_at timestamptz,
    ended_at timestamptz,
    records  bigint      NOT NULL DEFAULT 0
);
INSERT INTO decision_parts (part, begun_at)
SELECT part, CASE part WHEN 0 THEN now() END FROM generate_series(0, 15) AS part;

-- 6. Drains, capacity that is counted for metrics, what a shadow found, and what operators changed.

-- Drains, from their start until an operator stops them. Their progress is computed from the registry, placement and moves.
CREATE TABLE drains (
    name       text PRIMARY KEY,
    body       jsonb NOT NULL,
    user_id    text,
    request_id text NOT NULL,
    begun_at   timestamptz NOT NULL DEFAULT now()
);

-- The hosts that the selector of a drain named when it began; each is in one drain at most.
CREATE TABLE drain_hosts (
    host           text PRIMARY KEY,
    drain          text NOT NULL REFERENCES drains ON DELETE CASCADE,
    position       integer NOT NULL,
    nodes          uuid[] NOT NULL,
    -- The instances that were registered on the host when the drain began.
    instances      uuid[] NOT NULL,
    -- The service that the drain disabled, or made to disable the host: when it stops, it enables only this.
    service        uuid,
    service_is_new boolean NOT NULL DEFAULT false
);
CREATE INDEX drain_hosts_by_drain ON drain_hosts (drain, position);

-- The body of each watched request, as it was put.
CREATE TABLE capacity_watches (
    name text  PRIMARY KEY,
    body jsonb NOT NULL
);

-- The last count of each watched request, which every replica shows.
CREATE TABLE capacity_counts (
    name    text  PRIMARY KEY REFERENCES capacity_watches ON DELETE CASCADE,
    body    jsonb NOT NULL,
    counted jsonb NOT NULL
);

-- The replica that counts.
CREATE TABLE capacity_turns (
    one      boolean     PRIMARY KEY DEFAULT true CHECK (one),
    replica  uuid        NOT NULL,
    taken_at timestamptz NOT NULL
);

-- What Berth would have selected beside what nova-scheduler selected, one row per instance. Old rows are deleted by age and
-- number.
CREATE TABLE shadow_comparisons (
    -- The decision that has the trial on record; it begins with the time.
    decision    uuid   NOT NULL,
    instance    uuid   NOT NULL,
    verdict     text   NOT NULL,
    -- Why they differ, or cannot be compared.
    reason      text,
    -- The filter or weigher that made the difference.
    made_by     text,
    host        text,
    nova_host   text,
    weight      float8,
    nova_weight float8,
    detail      text,
    -- Milliseconds from the message to Berth's choice, and to the moment at which nova's claim was seen.
    decided_ms  float8 NOT NULL,
    seen_ms     float8,
    PRIMARY KEY (decision, instance)
);

-- Empty where there is no value. The oldest are deleted.
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
