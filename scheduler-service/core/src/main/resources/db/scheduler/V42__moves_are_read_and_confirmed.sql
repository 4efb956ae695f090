-- Who asked for a move and when it began, for those who read it, and when it was confirmed. To a replica of the version
-- before a confirmed move is one that was made; its allocations keep it from being reverted there.
ALTER TABLE moves ADD COLUMN user_id text, ADD COLUMN begun_at timestamptz, ADD COLUMN confirmed_at timestamptz;
ALTER TABLE moves ALTER COLUMN begun_at SET DEFAULT now();
CREATE INDEX moves_by_number ON moves (first_number, migration_uuid);
