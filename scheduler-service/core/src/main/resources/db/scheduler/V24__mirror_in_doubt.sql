-- Whether an attempt was begun of which it is not known how it ended: what it sent to placement may still land.
ALTER TABLE mirror_outbox ADD COLUMN in_doubt boolean NOT NULL DEFAULT false;
