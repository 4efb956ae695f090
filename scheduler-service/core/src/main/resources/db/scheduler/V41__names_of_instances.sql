-- What people call instances: of a decision about one its name, of one about several what their names begin with.
ALTER TABLE decisions ADD COLUMN name text;
CREATE INDEX decisions_by_name ON decisions (name, id) WHERE name IS NOT NULL;
CREATE INDEX instances_by_name ON instances ((body ->> 'name')) WHERE (body ->> 'name') IS NOT NULL;
