-- As long as a node is unregistered, a change of its host finds its provider by the host's name alone. What the provider
-- may have in placement from before is kept here, and looked at when the node is registered again.
CREATE TABLE scheduler.unregistered_nodes (
    node       uuid PRIMARY KEY,
    aggregates uuid[] NOT NULL,
    at         timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION scheduler.remember_compute_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM scheduler.unregistered_nodes
     WHERE node IN (SELECT node FROM scheduler.unregistered_nodes
                     WHERE at < now() - interval '90 days' FOR UPDATE SKIP LOCKED);
    INSERT INTO scheduler.unregistered_nodes (node, aggregates)
    SELECT uuid, ARRAY(SELECT unnest(scheduler.aggregates_of(gone.host))
                       UNION
                       SELECT unnest(aggregates) FROM scheduler.mirror_outbox WHERE mirror_outbox.host = gone.host)
      FROM gone
     ORDER BY uuid
    ON CONFLICT (node) DO UPDATE SET aggregates = excluded.aggregates, at = excluded.at;
    RETURN NULL;
END
$$;
CREATE TRIGGER remembered AFTER DELETE ON scheduler.compute_nodes REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION scheduler.remember_compute_nodes();

-- As before, but for a node that was registered before.
CREATE OR REPLACE FUNCTION scheduler.mirror_compute_node() RETURNS trigger LANGUAGE plpgsql AS $$
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
            memberships := memberships || scheduler.aggregates_of(OLD.host);
        ELSE
            DELETE FROM scheduler.unregistered_nodes WHERE unregistered_nodes.node = NEW.uuid
            RETURNING aggregates INTO remembered;
            memberships := memberships || remembered;
        END IF;
    END IF;
    IF node <> '{}' OR memberships <> '{}' OR (moved AND (TG_OP = 'UPDATE' OR remembered IS NOT NULL OR EXISTS (
            SELECT FROM scheduler.services WHERE host = NEW.host AND body ->> 'disabled' = 'true'))) THEN
        PERFORM scheduler.mirror_host(NEW.host, moved, memberships, node);
    END IF;
    RETURN NULL;
END
$$;
