-- A reschedule that gave its host up and is repeated finds nothing registered of its instance: its server group is here,
-- with what requests said of it where nobody registered the group.
ALTER TABLE departures
    ADD COLUMN server_group        uuid,
    ADD COLUMN policy              text,
    ADD COLUMN max_server_per_host bigint;
