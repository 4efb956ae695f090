-- Claims that had no answer and may commit behind what was placed since, by instance: whoever has the word for it by then,
-- such a claim is refused while the instance holds anything, and no more when that goes.
CREATE TABLE late_claims (
    instance  uuid PRIMARY KEY,
    -- From then on none can commit.
    until     timestamptz NOT NULL,
    -- What they may come to, as in boots.
    resources jsonb NOT NULL
);
INSERT INTO late_claims
SELECT DISTINCT ON (member) member, may_commit_until, resources
  FROM boots, unnest(instances) AS member
 WHERE may_commit_until > now()
 ORDER BY member, may_commit_until DESC;

-- unused since 0.0.0: no release had it
ALTER TABLE boots DROP COLUMN may_commit_until;
