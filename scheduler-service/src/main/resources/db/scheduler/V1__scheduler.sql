-- What the scheduler knows of hosts beyond what placement knows.
CREATE TABLE cells (
    uuid    uuid PRIMARY KEY,
    name    varchar(255) NOT NULL,
    enabled boolean NOT NULL DEFAULT true,
    version bigint NOT NULL DEFAULT 0
);
