-- Inserts the standard resource classes and traits (db.StandardNames) that do not exist, and records them in
-- fleet_changes. Flyway runs this migration again whenever a list changes. Names are never deleted, because an
-- inventory or a provider may use them. The id of a standard resource class is its position in the list.
WITH added AS (
    INSERT INTO resource_classes (id, name)
    SELECT position - 1, name
      FROM unnest(string_to_array('${standard-resource-classes}', ',')) WITH ORDINALITY AS standard (name, position)
    ON CONFLICT DO NOTHING
    RETURNING id)
INSERT INTO fleet_changes (kind, object_id) SELECT 1, id FROM added;

WITH added AS (
    INSERT INTO traits (name)
    SELECT name
      FROM unnest(string_to_array('${standard-traits}', ',')) AS standard (name)
    ON CONFLICT DO NOTHING
    RETURNING id)
INSERT INTO fleet_changes (kind, object_id) SELECT 2, id FROM added;
