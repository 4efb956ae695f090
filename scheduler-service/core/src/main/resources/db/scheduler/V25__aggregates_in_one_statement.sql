-- As before, but one statement for all hosts: an aggregate of most of a cloud had one parsed and planned for each.
-- Hosts in the order of their names, so that two transactions never wait for each other.
CREATE OR REPLACE FUNCTION scheduler.mirror_aggregate() RETURNS trigger LANGUAGE plpgsql AS $$
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
    INSERT INTO scheduler.mirror_outbox AS pending (host, aggregates)
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
