-- Rows are only added to a partition of decisions until it is emptied as a whole: vacuum finds nothing to do there, and
-- statistics do until it is twice as large. record.RecordStore makes a partition that somebody has dropped likewise.
DO $$
DECLARE
    each regclass;
BEGIN
    FOR each IN
        SELECT inhrelid FROM pg_inherits WHERE inhparent IN ('decisions'::regclass, 'decision_contents'::regclass)
    LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_vacuum_insert_threshold = -1,'
                       ' toast.autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 1)', each);
    END LOOP;
    -- Its own compression takes two thirds of what a record costs PostgreSQL: without lz4 the disk is the cheaper one.
    IF NOT EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE decision_contents ALTER COLUMN content SET STORAGE EXTERNAL;
    END IF;
END
$$;
