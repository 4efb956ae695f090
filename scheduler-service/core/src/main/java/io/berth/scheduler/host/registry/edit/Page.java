package io.berth.scheduler.host.registry.edit;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * Which records of a collection are listed.
 *
 * @param equal values that members have, by name
 * @param sortKey a member, or {@code uuid}; among equals the uuid decides
 * @param marker the page begins behind this record; null: at the beginning
 * @param limit records at most
 */
record Page(Map<String, String> equal, String sortKey, boolean isDescending, @Nullable UUID marker, int limit) {}
