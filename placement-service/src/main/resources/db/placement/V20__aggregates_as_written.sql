-- Null: in lower case with dashes, as are all that were stored before. Such a text has 36 characters at most, as in OpenStack's table.
ALTER TABLE provider_aggregates ADD COLUMN written varchar(36);
COMMENT ON COLUMN provider_aggregates.written IS 'the aggregate as its client wrote it, where that is another spelling';
