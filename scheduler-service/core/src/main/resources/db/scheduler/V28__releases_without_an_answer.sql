-- Whether what may still commit of an open request is a release: until then nothing is claimed for its instances.
ALTER TABLE open_boots ADD COLUMN releasing boolean NOT NULL DEFAULT false;
