package io.berth.scheduler.record;

import java.util.List;

/**
 * One page of search results; ends early at a byte limit, but has at least one result if there is any.
 *
 * @param hasMore whether more results follow
 */
public record RecordPage<T>(List<T> records, boolean hasMore) {}
