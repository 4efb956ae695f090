package io.berth.scheduler.host.registry.edit;

import java.util.UUID;

/** A record as stored in PostgreSQL; {@code body} is a JSON object without uuid and version. */
record StoredRecord(UUID uuid, long version, String body) {}
