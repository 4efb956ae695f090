-- Drains that operators began, as they asked for them, until they stop them. Where a drain stands is computed from the
-- registry, placement and the table of moves.
CREATE TABLE drains (
    name       text PRIMARY KEY,
    body       jsonb NOT NULL,
    user_id    text,
    request_id text NOT NULL,
    begun_at   timestamptz NOT NULL DEFAULT now()
);

-- The hosts that the selector of a drain named when it began; each is in one drain at most.
CREATE TABLE drain_hosts (
    host           text PRIMARY KEY,
    drain          text NOT NULL REFERENCES drains ON DELETE CASCADE,
    position       integer NOT NULL,
    nodes          uuid[] NOT NULL,
    -- The instances that were registered on the host when the drain began.
    instances      uuid[] NOT NULL,
    -- The service that the drain disabled, or made to disable the host: when it stops, it enables only this.
    service        uuid,
    service_is_new boolean NOT NULL DEFAULT false
);
CREATE INDEX drain_hosts_by_drain ON drain_hosts (drain, position);

CREATE INDEX moves_by_source ON moves (source_uuid, first_number)
    WHERE confirmed_at IS NULL AND state IN ('started', 'moved', 'reverting');
