-- Whether whoever works on a record has sent a release and not written yet what came of it.
ALTER TABLE open_boots ADD COLUMN release_sent boolean NOT NULL DEFAULT false;
