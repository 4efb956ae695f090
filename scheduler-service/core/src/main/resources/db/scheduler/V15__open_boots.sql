-- What changes of a boot while it is open, apart from what is kept of it: that it came about as planned is noted by the
-- end of a short row, where the long one with its answer was written anew. A boot is open while it has such a row, else
-- placed; of one that failed nothing is kept.
CREATE TABLE open_boots (
    key         text PRIMARY KEY,
    -- Who works on it until when. Without a token nobody does, and it is due at that time.
    token       uuid,
    lease_until timestamptz NOT NULL,
    -- Until then a claim of the request that had no answer may still commit.
    doubt_until timestamptz,
    attempts    integer NOT NULL DEFAULT 0
);
CREATE INDEX open_boots_by_lease ON open_boots (lease_until);

INSERT INTO open_boots (key, token, lease_until, doubt_until, attempts)
SELECT key, token, lease_until, doubt_until, attempts FROM boots WHERE state = 'started';
DELETE FROM boots WHERE state = 'failed';
-- unused since 0.0.0: no release had boots
ALTER TABLE boots DROP COLUMN state, DROP COLUMN token, DROP COLUMN lease_until, DROP COLUMN doubt_until,
    DROP COLUMN attempts;

CREATE OR REPLACE FUNCTION scheduler.move_has_the_word() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- A shelved instance is claimed for under a record of that key.
    own text := CASE NEW.kind WHEN 'unshelve' THEN 'unshelve:' ELSE 'move:' END || NEW.migration_uuid;
BEGIN
    IF NEW.state IN ('started', 'reverting') THEN
        DELETE FROM scheduler.boot_instances AS known USING scheduler.boots
         WHERE known.instance = NEW.instance_uuid AND known.key = boots.key
           AND NOT EXISTS (SELECT FROM scheduler.open_boots WHERE open_boots.key = boots.key);
        INSERT INTO scheduler.boot_instances AS known (instance, key) VALUES (NEW.instance_uuid, own)
        ON CONFLICT (instance) DO UPDATE SET key = excluded.key WHERE known.key = excluded.key;
        IF NOT FOUND THEN
            RAISE unique_violation USING MESSAGE = 'instance ' || NEW.instance_uuid || ' is being placed';
        END IF;
    ELSE
        -- A claim that may still commit stays the record's to take back.
        DELETE FROM scheduler.boot_instances
         WHERE instance = NEW.instance_uuid AND key = own
           AND NOT EXISTS (SELECT FROM scheduler.open_boots WHERE open_boots.key = own);
    END IF;
    RETURN NULL;
END
$$;
