-- What is old enough to be removed is found by key.
CREATE INDEX registry_changes_by_time ON registry_changes (at);
