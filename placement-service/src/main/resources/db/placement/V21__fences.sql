-- Writes of allocations may carry a number. The highest that counted for a consumer is its fence: no write with a lower
-- one commits any more. claimed_by is the number of the last write; null: it carried none.
ALTER TABLE consumers
    ADD COLUMN fence      bigint NOT NULL DEFAULT 0,
    ADD COLUMN claimed_by bigint;

-- The same of consumers without a row. Only a transaction that has locked, inserted or deleted the consumer's row reads
-- or writes its fence.
CREATE TABLE consumer_fences (
    uuid       uuid        PRIMARY KEY,
    fence      bigint      NOT NULL,
    claimed_by bigint,
    at         timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX consumer_fences_at ON consumer_fences (at);
