-- What the owner of a record writes to placement has a number of this block; null while nobody owns it. The number replaces the
-- token: placement refuses a write of a former owner, so nothing has to be waited for.
ALTER TABLE open_boots ADD COLUMN number bigint;
-- The block that the request began with: what it claimed has a number of it.
ALTER TABLE boots ADD COLUMN first_number bigint NOT NULL DEFAULT 0;

-- unused since 0.0.0: no release had boots
ALTER TABLE open_boots DROP COLUMN token, DROP COLUMN doubt_until, DROP COLUMN releasing, DROP COLUMN release_sent;
-- unused since 0.0.0: no release had boots
ALTER TABLE boots DROP COLUMN resources;
-- unused since 0.0.0: no release had it
DROP TABLE late_claims;
-- unused since 0.0.0: no release had it
DROP TABLE pending_releases;

-- A move that is open owns its instance, an unshelving as well: none has a record of a boot beside its own any more.
CREATE OR REPLACE FUNCTION scheduler.move_has_the_word() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    own text := 'move:' || NEW.migration_uuid;
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
        DELETE FROM scheduler.boot_instances WHERE instance = NEW.instance_uuid AND key = own;
    END IF;
    RETURN NULL;
END
$$;
