-- Requests that place instances: written before their first claim, so that any replica can finish them or take them
-- back, and kept so that the same request gets the same answer.
CREATE TABLE boots (
    -- Names the request: its Idempotency-Key, or a digest of its instances.
    key         text PRIMARY KEY,
    -- Digest of what was asked: the same key with another shape is another request.
    shape       text NOT NULL,
    instances   uuid[] NOT NULL,
    state       text NOT NULL CHECK (state IN ('started', 'placed', 'failed')),
    -- What each instance asks for, resource class to total: whatever of that size an instance holds is our claim.
    resources   jsonb NOT NULL,
    -- Once placed what the caller was told; before, what it is told if the first claim holds, or null.
    answer      text,
    request_id  text NOT NULL,
    -- Who works on it until when. Without a token nobody does, and it is due at that time.
    token       uuid,
    lease_until timestamptz NOT NULL,
    -- Until then a claim of the request that had no answer may still commit.
    doubt_until timestamptz,
    attempts    integer NOT NULL DEFAULT 0,
    begun_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX boots_open_by_lease ON boots (lease_until) WHERE state = 'started';
CREATE INDEX boots_by_age ON boots (begun_at);

-- Whose word counts for an instance: that of one request which is open or placed.
CREATE TABLE boot_instances (
    instance uuid PRIMARY KEY,
    key      text NOT NULL,
    -- What the instance holds beside the claim, provider uuid to resource class to amount; null for nothing.
    kept     jsonb,
    -- Its record in the registry before, null for none, and the version that this request's has; null without one.
    before   jsonb,
    version  bigint
);

-- Boots keep what must be taken back: pending_releases stays for replicas of the version before, which work it off. What
-- is in it now is taken back as a boot of which nothing is known but its size.
INSERT INTO boots (key, shape, instances, state, resources, request_id, lease_until, doubt_until)
SELECT 'release:' || consumer, '', ARRAY[consumer], 'started',
       (SELECT coalesce(jsonb_object_agg(name, total), '{}')
          FROM (SELECT amounts.key AS name, sum(amounts.value::bigint) AS total
                  FROM jsonb_each(claim) AS provider, jsonb_each_text(provider.value) AS amounts
                 GROUP BY amounts.key) AS totals),
       request_id, now(), recorded_at + interval '2 minutes'
  FROM pending_releases;
INSERT INTO boot_instances (instance, key)
SELECT consumer, 'release:' || consumer FROM pending_releases;
