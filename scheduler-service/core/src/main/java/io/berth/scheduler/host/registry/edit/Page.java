package io.berth.scheduler.host.registry.edit;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * The parameters of one page of a collection.
 *
 * @param equal values that the listed records must have, by member; see {@link RegistryRow#members}
 * @param sortKey a member, or {@code uuid}; records with equal values are sorted by uuid
 * @param isDescending whether the order by the sort key and by uuid is descending
 * @param marker uuid of the record after which the page begins; null for the first page
 * @param limit maximum number of records, at least 1
 */
record Page(Map<String, String> equal, String sortKey, boolean isDescending, @Nullable UUID marker, int limit) {}
