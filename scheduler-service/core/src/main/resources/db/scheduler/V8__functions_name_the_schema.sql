-- As before, but for the schema in front of every name: an operator's own SQL, and a restore, come without our search
-- path.

CREATE OR REPLACE FUNCTION scheduler.record_registry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scheduler.registry_changes (collection, uuid) VALUES (TG_TABLE_NAME, coalesce(NEW.uuid, OLD.uuid));
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION scheduler.mirror_host(
    changed_host text, its_status boolean, its_aggregates uuid[], its_nodes uuid[])
RETURNS void LANGUAGE sql AS $$
    INSERT INTO scheduler.mirror_outbox AS pending (host, status, aggregates, compute_nodes)
    VALUES (changed_host, its_status, its_aggregates, its_nodes)
    ON CONFLICT (host) DO UPDATE
       SET status = pending.status OR excluded.status,
           aggregates = ARRAY(SELECT unnest(pending.aggregates) UNION SELECT unnest(excluded.aggregates)),
           compute_nodes = ARRAY(SELECT unnest(pending.compute_nodes) UNION SELECT unnest(excluded.compute_nodes)),
           revision = pending.revision + 1,
           next_at = now(),
           attempts = 0
$$;

CREATE OR REPLACE FUNCTION scheduler.aggregates_of(member text) RETURNS uuid[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT uuid FROM scheduler.host_aggregates WHERE body -> 'hosts' ? member)
$$;

CREATE OR REPLACE FUNCTION scheduler.mirror_service() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND (TG_OP = 'DELETE' OR NEW.host <> OLD.host) THEN
        PERFORM scheduler.mirror_host(OLD.host, true, '{}', '{}');
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM scheduler.mirror_host(NEW.host, true, '{}', '{}');
    END IF;
    RETURN NULL;
END
$$;

-- Hosts in the order of their names, so that two transactions never wait for each other.
CREATE OR REPLACE FUNCTION scheduler.mirror_aggregate() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    aggregate   uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.uuid ELSE NEW.uuid END;
    before      jsonb := '[]';
    afterwards  jsonb := '[]';
    moving_host text;
BEGIN
    IF TG_OP <> 'INSERT' AND jsonb_typeof(OLD.body -> 'hosts') = 'array' THEN
        before := OLD.body -> 'hosts';
    END IF;
    IF TG_OP <> 'DELETE' AND jsonb_typeof(NEW.body -> 'hosts') = 'array' THEN
        afterwards := NEW.body -> 'hosts';
    END IF;
    FOR moving_host IN
        SELECT name FROM (
            (SELECT jsonb_array_elements_text(before) AS name EXCEPT SELECT jsonb_array_elements_text(afterwards))
            UNION
            (SELECT jsonb_array_elements_text(afterwards) EXCEPT SELECT jsonb_array_elements_text(before))) AS moved
         ORDER BY name
    LOOP
        PERFORM scheduler.mirror_host(moving_host, false, ARRAY[aggregate], '{}');
    END LOOP;
    RETURN NULL;
END
$$;

-- A report says something to placement when it carries inventories or traits. A node that appears on a host brings the
-- host's state and memberships; one that comes from another host loses the other's.
CREATE OR REPLACE FUNCTION scheduler.mirror_compute_node() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    node uuid[] := CASE WHEN NEW.body -> 'inventories' IS NULL AND NEW.body -> 'traits' IS NULL
                        THEN '{}' ELSE ARRAY[NEW.uuid] END;
    memberships uuid[] := '{}';
    moved boolean := TG_OP = 'INSERT';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        moved := NEW.host <> OLD.host;
    END IF;
    IF moved THEN
        memberships := scheduler.aggregates_of(NEW.host);
        IF TG_OP = 'UPDATE' THEN
            memberships := memberships || scheduler.aggregates_of(OLD.host);
        END IF;
    END IF;
    IF node <> '{}' OR memberships <> '{}' OR (moved AND (TG_OP = 'UPDATE' OR EXISTS (
            SELECT FROM scheduler.services WHERE host = NEW.host AND body ->> 'disabled' = 'true'))) THEN
        PERFORM scheduler.mirror_host(NEW.host, moved, memberships, node);
    END IF;
    RETURN NULL;
END
$$;
