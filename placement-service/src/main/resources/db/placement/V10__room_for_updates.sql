-- A claim changes generation and use in place. With room on the page the new version of the row stays there and no
-- index learns of it.
ALTER TABLE resource_providers SET (fillfactor = 50);
ALTER TABLE inventories SET (fillfactor = 50);
