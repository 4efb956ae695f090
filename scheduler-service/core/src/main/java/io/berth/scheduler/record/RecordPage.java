package io.berth.scheduler.record;

import java.util.List;

/**
 * One page of search results. It may be shorter than its limit because of a limit in bytes, but has at least one result
 * if there is any.
 *
 * @param hasMore whether more results follow
 */
public record RecordPage<T>(List<T> records, boolean hasMore) {}
