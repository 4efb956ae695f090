package io.berth.scheduler.host.registry.edit;

import java.util.UUID;

/** A stored record. {@code body} is a JSON object without {@code uuid} and {@code version}. */
record StoredRecord(UUID uuid, long version, String body) {}
