-- Registered by somebody who need not have claimed for it: such an instance stays until it was seen to hold something in
-- placement. Of what was registered before it is not known, and replicas of the version before do not say.
ALTER TABLE instances ADD COLUMN declared boolean NOT NULL DEFAULT true;

-- Instances that may hold nothing in placement any more, and where those were that do not.
CREATE TABLE departures (
    instance uuid PRIMARY KEY,
    -- When it is compared with placement next; null once its registration is gone.
    due_at   timestamptz DEFAULT now(),
    host     text,
    nodename text,
    at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX departures_due ON departures (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX departures_by_age ON departures (at);

-- Whether a move of an instance is new.
CREATE INDEX moves_by_instance ON moves (instance_uuid);

-- How far the comparison of all registered instances with placement has come: one replica at a time.
CREATE TABLE comparison (
    only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    token          uuid,
    -- Until then another replica does it, or nothing is to be done.
    due_at         timestamptz NOT NULL DEFAULT now(),
    -- Placement's word for where its record of released consumers was read up to; null: not read.
    released_until text,
    compared_until uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO comparison DEFAULT VALUES;
