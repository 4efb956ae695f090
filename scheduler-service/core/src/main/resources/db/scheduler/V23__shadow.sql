-- What Berth would have chosen beside what nova-scheduler chose, an instance each. Kept for a while, and so many of them.
CREATE TABLE shadow_comparisons (
    -- Of decisions, where the trial is on record; its beginning is the time.
    decision    uuid NOT NULL,
    instance    uuid NOT NULL,
    verdict     text NOT NULL,
    -- Why they differ, or cannot be compared.
    reason      text,
    -- The filter or weigher that made the difference.
    made_by     text,
    host        text,
    nova_host   text,
    weight      float8,
    nova_weight float8,
    detail      text,
    -- Milliseconds: from the message to Berth's choice, and to nova's claim as it was seen.
    decided_ms  float8 NOT NULL,
    seen_ms     float8,
    PRIMARY KEY (decision, instance)
);
