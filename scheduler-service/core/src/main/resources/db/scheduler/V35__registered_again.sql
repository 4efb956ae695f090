-- An instance that held nothing for a moment, as in a move of nova's own, is registered again as it was.
ALTER TABLE departures
    ADD COLUMN body    jsonb,
    -- When it is compared with placement next; null for one that was unregistered for another reason, or long ago.
    ADD COLUMN look_at timestamptz;
CREATE INDEX departures_to_look_at ON departures (look_at) WHERE look_at IS NOT NULL;
