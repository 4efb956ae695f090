-- Heartbeats are no changes of records. Which services were heard is recorded beside those, one row per statement however
-- many it concerns, so that a replica learns of them without reading records. Who asks for older ones than are kept reads
-- the column of all services.
CREATE TABLE heartbeats (
    xid      xid8 NOT NULL DEFAULT pg_current_xact_id(),
    services uuid[] NOT NULL,
    at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX heartbeats_by_xid ON heartbeats (xid);
CREATE INDEX heartbeats_by_time ON heartbeats (at);

-- Heartbeats of transactions up to this one may have been removed.
ALTER TABLE registry_pruned ADD COLUMN heartbeats_xid xid8 NOT NULL DEFAULT '0';

-- Room for the next heartbeat on the same page: no index has to be told.
ALTER TABLE services SET (fillfactor = 50);

CREATE OR REPLACE TRIGGER changed AFTER INSERT OR UPDATE OF version, body OR DELETE ON services
    FOR EACH ROW EXECUTE FUNCTION record_registry_change();

CREATE FUNCTION scheduler.record_heartbeats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scheduler.heartbeats (services) SELECT array_agg(uuid) FROM heard HAVING count(*) > 0;
    RETURN NULL;
END
$$;

-- By a trigger, so that no writer can forget.
CREATE TRIGGER heard AFTER UPDATE ON services REFERENCING NEW TABLE AS heard
    FOR EACH STATEMENT EXECUTE FUNCTION record_heartbeats();
