package io.berth.scheduler.record;

import java.util.List;

/**
 * The first results of a search: fewer than the limit if they are large.
 *
 * @param hasMore whether more follow
 */
public record RecordPage<T>(List<T> records, boolean hasMore) {}
