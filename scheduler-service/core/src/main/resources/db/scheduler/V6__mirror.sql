-- Hosts whose state in placement may differ from the registry: one row per host, so that all that is to be said of a
-- host is said by one replica at a time. Rows hold what to look at, not what to write: the registry holds that.
CREATE TABLE mirror_outbox (
    host          text PRIMARY KEY,
    -- Whether the service is disabled.
    status        boolean NOT NULL DEFAULT false,
    -- Memberships to look at, and compute nodes whose report says something to placement.
    aggregates    uuid[] NOT NULL DEFAULT '{}',
    compute_nodes uuid[] NOT NULL DEFAULT '{}',
    -- Rises with every change of the registry: what changed while a replica worked on the host is not forgotten.
    revision      bigint NOT NULL DEFAULT 0,
    since         timestamptz NOT NULL DEFAULT now(),
    next_at       timestamptz NOT NULL DEFAULT now(),
    -- A replica works on the host until then; null when none does.
    leased_until  timestamptz,
    attempts      integer NOT NULL DEFAULT 0,
    last_error    text,
    last_error_at timestamptz
);
CREATE INDEX mirror_outbox_by_time ON mirror_outbox (next_at);

CREATE FUNCTION mirror_host(changed_host text, its_status boolean, its_aggregates uuid[], its_nodes uuid[])
RETURNS void LANGUAGE sql AS $$
    INSERT INTO mirror_outbox AS pending (host, status, aggregates, compute_nodes)
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
    SELECT ARRAY(SELECT uuid FROM host_aggregates WHERE body -> 'hosts' ? member)
$$;

-- A service that goes leaves its host without a state, which is an enabled one.
CREATE FUNCTION mirror_service() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND (TG_OP = 'DELETE' OR NEW.host <> OLD.host) THEN
        PERFORM mirror_host(OLD.host, true, '{}', '{}');
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM mirror_host(NEW.host, true, '{}', '{}');
    END IF;
    RETURN NULL;
END
$$;

-- Hosts in the order of their names, so that two transactions never wait for each other.
CREATE FUNCTION mirror_aggregate() RETURNS trigger LANGUAGE plpgsql AS $$
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
        PERFORM mirror_host(moving_host, false, ARRAY[aggregate], '{}');
    END LOOP;
    RETURN NULL;
END
$$;

-- A report says something to placement when it carries inventories or traits. A node that appears on a host brings the
-- host's state and memberships; one that comes from another host loses the other's.
CREATE FUNCTION mirror_compute_node() RETURNS trigger LANGUAGE plpgsql AS $$
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
        memberships := aggregates_of(NEW.host);
        IF TG_OP = 'UPDATE' THEN
            memberships := memberships || aggregates_of(OLD.host);
        END IF;
    END IF;
    IF node <> '{}' OR memberships <> '{}' OR (moved AND (TG_OP = 'UPDATE' OR EXISTS (
            SELECT FROM services WHERE host = NEW.host AND body ->> 'disabled' = 'true'))) THEN
        PERFORM mirror_host(NEW.host, moved, memberships, node);
    END IF;
    RETURN NULL;
END
$$;

-- Not on heartbeats: those leave the body alone.
CREATE TRIGGER mirrored AFTER INSERT OR DELETE OR UPDATE OF body ON services
    FOR EACH ROW EXECUTE FUNCTION mirror_service();
CREATE TRIGGER mirrored AFTER INSERT OR DELETE OR UPDATE OF body ON host_aggregates
    FOR EACH ROW EXECUTE FUNCTION mirror_aggregate();
CREATE TRIGGER mirrored AFTER INSERT OR UPDATE OF body ON compute_nodes
    FOR EACH ROW EXECUTE FUNCTION mirror_compute_node();

-- What was registered before there was a mirror.
DO $$
BEGIN
    PERFORM mirror_host(host, true, '{}', '{}') FROM services WHERE body ->> 'disabled' = 'true';
    PERFORM mirror_host(host, false, ARRAY[uuid], '{}')
       FROM host_aggregates,
            jsonb_array_elements_text(
                CASE jsonb_typeof(body -> 'hosts') WHEN 'array' THEN body -> 'hosts' ELSE '[]' END) AS host;
END
$$;
