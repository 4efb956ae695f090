-- What operators changed: who, when, what it was and what it is; empty where there is no value. The oldest are deleted.
CREATE TABLE operator_changes (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    made_at    timestamptz NOT NULL,
    what       text        NOT NULL,
    user_id    text        NOT NULL,
    project_id text        NOT NULL,
    request_id text        NOT NULL,
    old_value  text        NOT NULL,
    new_value  text        NOT NULL
);
CREATE INDEX operator_changes_made_at ON operator_changes (made_at);
