-- Who is in which server group. A group that nobody registered, because requests bring it along, has members too: what
-- the requests said of it stands with them.
CREATE TABLE server_group_members (
    server_group        uuid NOT NULL,
    instance            uuid NOT NULL,
    -- The order of the list.
    place               bigint GENERATED ALWAYS AS IDENTITY,
    policy              text,
    max_server_per_host bigint,
    PRIMARY KEY (server_group, instance)
);
CREATE INDEX server_group_members_by_instance ON server_group_members (instance);

-- The hosts that members are about to claim, or may go back to. Where a member is registered it needs no seat.
CREATE TABLE server_group_seats (
    server_group        uuid NOT NULL,
    host                text NOT NULL,
    instance            uuid NOT NULL,
    -- The record that the seat is taken and given back with: a boot's key, or "move:" and the migration.
    holder              text NOT NULL,
    -- Whether the instance leaves that host: the seat stays until its allocations there are gone.
    leaving             boolean NOT NULL,
    -- Null for any of the host's.
    nodename            text,
    -- Of one that is left: who holds its allocations, and from which resource providers.
    consumer            uuid,
    providers           uuid[],
    policy              text,
    max_server_per_host bigint,
    taken_at            timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (server_group, host, instance, holder, leaving)
);
CREATE INDEX server_group_seats_by_holder ON server_group_seats (holder);
CREATE INDEX server_group_seats_by_instance ON server_group_seats (instance);

-- A change of members or seats is one of the group. One row per group and statement, however many members.
CREATE FUNCTION record_group_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scheduler.registry_changes (collection, uuid)
    SELECT DISTINCT 'server_groups', server_group FROM changed;
    RETURN NULL;
END
$$;
CREATE TRIGGER changed_by_insert AFTER INSERT ON server_group_members REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_group_changes();
CREATE TRIGGER changed_by_delete AFTER DELETE ON server_group_members REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_group_changes();
CREATE TRIGGER changed_by_insert AFTER INSERT ON server_group_seats REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_group_changes();
CREATE TRIGGER changed_by_delete AFTER DELETE ON server_group_seats REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_group_changes();

-- Whoever deletes an instance: it leaves its groups, and no host of it is kept. What a request is about to claim for it
-- stays that request's.
CREATE FUNCTION leave_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM scheduler.server_group_members AS member USING gone WHERE member.instance = gone.uuid;
    DELETE FROM scheduler.server_group_seats AS seat USING gone WHERE seat.instance = gone.uuid AND seat.leaving;
    RETURN NULL;
END
$$;
CREATE TRIGGER left_groups AFTER DELETE ON instances REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION leave_groups();

CREATE FUNCTION forget_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM scheduler.server_group_members AS member USING gone WHERE member.server_group = gone.uuid;
    RETURN NULL;
END
$$;
CREATE TRIGGER forgot_members AFTER DELETE ON server_groups REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION forget_members();

-- Replicas of the version before write members into the body: what they add there is added here.
CREATE FUNCTION join_from_body() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF jsonb_typeof(NEW.body -> 'members') = 'array' THEN
        INSERT INTO scheduler.server_group_members (server_group, instance)
        SELECT NEW.uuid, member::uuid
          FROM jsonb_array_elements_text(NEW.body -> 'members') AS member
         WHERE TG_OP = 'INSERT' OR NOT coalesce(OLD.body -> 'members' ? member, false)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER joined_from_body AFTER INSERT OR UPDATE OF body ON server_groups
    FOR EACH ROW EXECUTE FUNCTION join_from_body();

-- The bodies keep what they have, for replicas of the version before; from now on the table counts.
INSERT INTO server_group_members (server_group, instance)
SELECT uuid, member::uuid
  FROM server_groups,
       jsonb_array_elements_text(
           CASE jsonb_typeof(body -> 'members') WHEN 'array' THEN body -> 'members' ELSE '[]' END) AS member
ON CONFLICT DO NOTHING;

-- Groups as decisions see them: with members and seats, those that only requests know among them.
CREATE VIEW server_groups_seated AS
SELECT known.uuid,
       coalesce(server_groups.body, '{}') || jsonb_build_object(
           'registered', server_groups.uuid IS NOT NULL,
           'members', (SELECT coalesce(jsonb_agg(instance), '[]')
                         FROM server_group_members WHERE server_group = known.uuid),
           'seats', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                'instance', instance, 'host', host, 'nodename', nodename, 'holder', holder,
                                'consumer', consumer, 'providers', providers)), '[]')
                       FROM server_group_seats WHERE server_group = known.uuid))
           || CASE WHEN server_groups.uuid IS NULL THEN
                  (SELECT jsonb_build_object(
                              'policy', said.policy,
                              'rules', jsonb_strip_nulls(jsonb_build_object(
                                  'max_server_per_host', least(greatest(said.max_server_per_host, 1), 2147483647))))
                     FROM (SELECT policy, max_server_per_host FROM server_group_members
                            WHERE server_group = known.uuid
                            UNION ALL
                           SELECT policy, max_server_per_host FROM server_group_seats
                            WHERE server_group = known.uuid
                            LIMIT 1) AS said)
              ELSE '{}' END AS body
  FROM (SELECT uuid FROM server_groups
        UNION SELECT server_group FROM server_group_members
        UNION SELECT server_group FROM server_group_seats) AS known
  LEFT JOIN server_groups ON server_groups.uuid = known.uuid;
