-- What the scheduler knows of hosts beyond what placement knows. Each record is its JSON body; the columns that
-- must be unique or looked up are generated from it, so that body and columns cannot disagree.

CREATE TABLE cells (
    uuid    uuid PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0,
    body    jsonb NOT NULL,
    name    text GENERATED ALWAYS AS (body ->> 'name') STORED NOT NULL UNIQUE
);

CREATE TABLE compute_nodes (
    uuid      uuid PRIMARY KEY,
    version   bigint NOT NULL DEFAULT 0,
    body      jsonb NOT NULL,
    host      text GENERATED ALWAYS AS (body ->> 'host') STORED NOT NULL,
    nodename  text GENERATED ALWAYS AS (coalesce(body ->> 'nodename', body ->> 'host')) STORED NOT NULL,
    cell_uuid text GENERATED ALWAYS AS (body ->> 'cell_uuid') STORED,
    UNIQUE (host, nodename)
);

CREATE TABLE services (
    uuid           uuid PRIMARY KEY,
    version        bigint NOT NULL DEFAULT 0,
    body           jsonb NOT NULL,
    host           text GENERATED ALWAYS AS (body ->> 'host') STORED NOT NULL UNIQUE,
    -- Not part of the body: heartbeats come every few seconds and are no change of the record.
    last_heartbeat timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE host_aggregates (
    uuid    uuid PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0,
    body    jsonb NOT NULL,
    name    text GENERATED ALWAYS AS (body ->> 'name') STORED NOT NULL UNIQUE
);

CREATE TABLE server_groups (
    uuid    uuid PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0,
    body    jsonb NOT NULL
);

CREATE TABLE instances (
    uuid    uuid PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0,
    body    jsonb NOT NULL,
    host    text GENERATED ALWAYS AS (body ->> 'host') STORED NOT NULL
);
CREATE INDEX instances_by_host ON instances (host);

-- Every committed change of a record above, with the transaction that made it: a replica asks which of them its
-- own picture does not hold yet. Written by triggers, so that no writer can forget. The collection is the one of
-- the table's REST route.
CREATE TABLE registry_changes (
    xid        xid8 NOT NULL DEFAULT pg_current_xact_id(),
    collection text NOT NULL,
    uuid       uuid NOT NULL,
    at         timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX registry_changes_by_xid ON registry_changes (xid);

-- Changes of transactions up to this one may have been removed; who is further behind reads everything again.
CREATE TABLE registry_pruned (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    xid      xid8 NOT NULL
);
INSERT INTO registry_pruned (xid) VALUES ('0');

CREATE FUNCTION record_registry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO registry_changes (collection, uuid) VALUES (TG_TABLE_NAME, coalesce(NEW.uuid, OLD.uuid));
    RETURN NULL;
END
$$;

CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON cells
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON compute_nodes
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON services
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON host_aggregates
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON server_groups
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON instances
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();

-- Claims that must go but could not be taken back, or may still appear, when their request ended.
CREATE TABLE pending_releases (
    consumer    uuid PRIMARY KEY,
    -- What was claimed, provider uuid to resource class to amount: anything else the consumer holds is not ours.
    claim       jsonb NOT NULL,
    request_id  text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    next_at     timestamptz NOT NULL DEFAULT now(),
    attempts    integer NOT NULL DEFAULT 0
);
CREATE INDEX pending_releases_by_time ON pending_releases (next_at);
