-- Consumers that gave up all they held, by transaction: whoever keeps something that lives as long as an allocation asks
-- which have gone since it asked last.
CREATE TABLE released_consumers (
    xid  xid8        NOT NULL DEFAULT pg_current_xact_id(),
    uuid uuid        NOT NULL,
    at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX released_consumers_xid ON released_consumers (xid);
CREATE INDEX released_consumers_at ON released_consumers (at);

-- What transactions up to this one released may have been removed.
CREATE TABLE released_pruned (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    xid      xid8 NOT NULL
);
INSERT INTO released_pruned (xid) VALUES ('0');
