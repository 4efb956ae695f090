-- The standard names (db.StandardNames), present at every start; repeated by Flyway whenever one is added. None is ever
-- taken away: an inventory or a provider may use it. A class keeps its position in the list as its id.
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
