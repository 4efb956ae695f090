package io.berth.scheduler.groupreservation;

import java.util.Set;
import java.util.UUID;

/**
 * The source reservation of an instance that moves. It counts until the allocations there are released, since the
 * instance may go back.
 *
 * @param consumer the consumer of these allocations: the instance, or its migration
 * @param providers the providers of these allocations; any one of them counts
 */
public record SourceReservation(String host, UUID consumer, Set<String> providers) {}
