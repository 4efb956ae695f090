-- What audits healed, and the rows as they were: enough to put them back.

CREATE TABLE audits (
    id        uuid         PRIMARY KEY,
    -- Who asked for it.
    user_id   varchar(255) NOT NULL,
    at        timestamptz  NOT NULL DEFAULT now(),
    undone_at timestamptz
);
CREATE INDEX audits_at ON audits (at);

CREATE TABLE audit_changes (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    audit_id uuid        NOT NULL REFERENCES audits (id) ON DELETE CASCADE,
    -- allocation, consumer, given_consumer, use, used, root, trait, aggregate, inventory
    what     varchar(32) NOT NULL,
    -- Null: there was no such row.
    before   jsonb,
    -- Null: there is none any more.
    after    jsonb
);
CREATE INDEX audit_changes_audit ON audit_changes (audit_id, what);
