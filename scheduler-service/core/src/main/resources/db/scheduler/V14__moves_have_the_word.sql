-- A move that is under way has the word for its instance as a boot has: while its migration holds the allocations the
-- instance holds nothing, and a request that placed it meanwhile was overwritten when the move was put back. Here and not
-- in the statements, so that replicas of the version before keep to it, too.
CREATE FUNCTION scheduler.move_has_the_word() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- A shelved instance is claimed for under a record of that key.
    own text := CASE NEW.kind WHEN 'unshelve' THEN 'unshelve:' ELSE 'move:' END || NEW.migration_uuid;
BEGIN
    IF NEW.state IN ('started', 'reverting') THEN
        DELETE FROM scheduler.boot_instances AS known USING scheduler.boots
         WHERE known.instance = NEW.instance_uuid AND known.key = boots.key AND boots.state = 'placed';
        INSERT INTO scheduler.boot_instances AS known (instance, key) VALUES (NEW.instance_uuid, own)
        ON CONFLICT (instance) DO UPDATE SET key = excluded.key WHERE known.key = excluded.key;
        IF NOT FOUND THEN
            RAISE unique_violation USING MESSAGE = 'instance ' || NEW.instance_uuid || ' is being placed';
        END IF;
    ELSE
        -- A claim that may still commit stays the record's to take back.
        DELETE FROM scheduler.boot_instances
         WHERE instance = NEW.instance_uuid AND key = own
           AND NOT EXISTS (SELECT FROM scheduler.boots WHERE boots.key = own AND boots.state = 'started');
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER has_the_word AFTER INSERT OR UPDATE OF state ON scheduler.moves
    FOR EACH ROW EXECUTE FUNCTION scheduler.move_has_the_word();

INSERT INTO scheduler.boot_instances (instance, key)
SELECT instance_uuid, CASE kind WHEN 'unshelve' THEN 'unshelve:' ELSE 'move:' END || migration_uuid
  FROM scheduler.moves
 WHERE state IN ('started', 'reverting')
ON CONFLICT DO NOTHING;
