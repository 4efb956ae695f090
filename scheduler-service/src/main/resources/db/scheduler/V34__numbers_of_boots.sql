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
