-- Records of decisions, for whoever asks afterwards. The partitions go round: one is written, and the next is emptied as
-- a whole when its turn comes, so that nothing is ever deleted row by row, and no table is made while the service runs.
-- What is searched by and what is read apart: rows by which records are found are short enough to be looked through, and
-- what was written together lies together and is compressed as one.
CREATE TABLE decisions (
    part         smallint NOT NULL,
    -- Of version 7: it begins with the time of the decision, so ids are in the order of time.
    id           uuid NOT NULL,
    kind         text NOT NULL,
    result       text NOT NULL,
    project      text,
    flavor       text,
    instances    uuid[] NOT NULL,
    -- Those that were selected.
    hosts        text[] NOT NULL,
    -- Of decision_contents, and where in it, in bytes: the body, behind it the offered hosts, behind them the request.
    contents     uuid NOT NULL,
    start        integer NOT NULL,
    body_size    integer NOT NULL,
    -- Null: unknown which they were.
    offered_size integer,
    -- Null: there was none, or it was too large.
    request_size integer
) PARTITION BY LIST (part);

-- What one statement wrote.
CREATE TABLE decision_contents (
    part    smallint NOT NULL,
    id      uuid NOT NULL,
    -- Hosts that any of its decisions looked at, four bytes each: record.OfferedHosts says how.
    hosts   bytea NOT NULL,
    -- Bodies are JSON (record.RecordBody), offered hosts bits, requests as clients sent them.
    content bytea NOT NULL
) PARTITION BY LIST (part);

DO $$
BEGIN
    ALTER TABLE decision_contents ALTER COLUMN content SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL; -- PostgreSQL was built without lz4: its own way does, too.
END
$$;
-- They are as good as random.
ALTER TABLE decision_contents ALTER COLUMN hosts SET STORAGE EXTERNAL;

DO $$
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE decisions_%s PARTITION OF decisions FOR VALUES IN (%s)', part, part);
        EXECUTE format('CREATE TABLE decision_contents_%s PARTITION OF decision_contents FOR VALUES IN (%s)', part, part);
    END LOOP;
END
$$;

CREATE INDEX decision_contents_by_id ON decision_contents (id);
CREATE INDEX decisions_by_id ON decisions (id);
CREATE INDEX decisions_failed ON decisions (id) WHERE result <> 'selected';
-- Most requests are for one instance.
CREATE INDEX decisions_by_instance ON decisions ((instances[1]));
CREATE INDEX decisions_of_several ON decisions USING gin (instances) WHERE cardinality(instances) > 1;

-- Which partition is written: the one that was begun and has not ended.
CREATE TABLE decision_parts (
    part     smallint PRIMARY KEY,
    begun_at timestamptz,
    ended_at timestamptz,
    records  bigint NOT NULL DEFAULT 0
);
INSERT INTO decision_parts (part, begun_at)
SELECT part, CASE part WHEN 0 THEN now() END FROM generate_series(0, 15) AS part;
