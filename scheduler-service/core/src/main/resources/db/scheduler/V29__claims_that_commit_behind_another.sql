-- Until then another claim of a request that is placed, which had no answer, may still commit: it is refused while the
-- instance holds what was answered, and no more when that goes.
ALTER TABLE boots ADD COLUMN may_commit_until timestamptz;
