package io.berth.scheduler.host.registry.edit;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * Selects the records of a collection to list.
 *
 * @param equal required values of members, by name
 * @param sortKey a member, or {@code uuid}; among equal values the uuid decides
 * @param marker the page begins after this record; null: at the beginning
 * @param limit maximum number of records
 */
record Page(Map<String, String> equal, String sortKey, boolean isDescending, @Nullable UUID marker, int limit) {}
