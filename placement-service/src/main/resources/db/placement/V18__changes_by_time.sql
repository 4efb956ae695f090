-- What is old enough to be removed is found by key.
CREATE INDEX fleet_changes_at ON fleet_changes (at);
COMMENT ON COLUMN fleet_watermark.pruned_before IS 'changes of transactions up to this one may have been removed';
