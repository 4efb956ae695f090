-- What was counted last of each watched request, for every replica to show; and whose turn it is to count.
CREATE TABLE capacity_counts (
    name text PRIMARY KEY REFERENCES capacity_watches ON DELETE CASCADE,
    body jsonb NOT NULL,
    counted jsonb NOT NULL
);

CREATE TABLE capacity_turns (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    replica uuid NOT NULL,
    taken_at timestamptz NOT NULL
);
