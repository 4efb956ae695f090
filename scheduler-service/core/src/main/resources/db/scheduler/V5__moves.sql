-- Moves of instances between hosts: what was before, so that it can be put back, and what was answered, so that the
-- same call gives the same answer.
CREATE TABLE moves (
    migration_uuid  uuid PRIMARY KEY,
    instance_uuid   uuid NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('resize', 'cold', 'live', 'evacuate', 'unshelve')),
    source_uuid     uuid,
    state           text NOT NULL CHECK (state IN ('started', 'moved', 'failed', 'reverting', 'reverted')),
    -- What the instance held before and, once moved, after: provider uuid to resource class to amount.
    held_before     jsonb NOT NULL,
    held_after      jsonb,
    -- The instance's record in the registry before; null when it had none.
    instance_before jsonb,
    answer          text,
    request_id      text NOT NULL,
    -- Who works on it until when. Without a token nobody does, and it is due at that time.
    token           uuid,
    lease_until     timestamptz NOT NULL,
    attempts        integer NOT NULL DEFAULT 0,
    changed_at      timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX moves_one_at_a_time ON moves (instance_uuid) WHERE state IN ('started', 'reverting');
CREATE INDEX moves_open_by_lease ON moves (lease_until) WHERE state IN ('started', 'reverting');
CREATE INDEX moves_by_age ON moves (changed_at);
