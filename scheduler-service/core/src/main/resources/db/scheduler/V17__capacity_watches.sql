-- Requests whose capacity is counted every so often, for metrics; the body as it was put.
CREATE TABLE capacity_watches (
    name text PRIMARY KEY,
    body jsonb NOT NULL
);
