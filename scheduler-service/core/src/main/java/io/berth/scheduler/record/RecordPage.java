package io.berth.scheduler.record;

import java.util.List;

/**
 * The first of what was asked for: fewer than the limit where they are large.
 *
 * @param hasMore whether more follow
 */
public record RecordPage<T>(List<T> records, boolean hasMore) {}
