-- As before, but what is pending for the host that a node leaves counts for the node too: its provider need not bear that
-- host's name, and nobody would find it.
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
            memberships := memberships || scheduler.aggregates_of(OLD.host)
                || coalesce((SELECT aggregates FROM scheduler.mirror_outbox WHERE host = OLD.host), '{}');
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
