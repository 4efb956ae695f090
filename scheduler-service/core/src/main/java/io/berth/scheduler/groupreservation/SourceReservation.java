package io.berth.scheduler.groupreservation;

import java.util.Set;
import java.util.UUID;

/**
 * A reservation on the source host of an instance that moves. Because the move may be reverted, the reservation counts
 * until the allocations on the source host are released.
 *
 * @param host name of the source host
 * @param consumer consumer of the allocations on the source host: the instance, or its migration
 * @param providers providers of these allocations; the reservation stays while the consumer holds any of them
 */
public record SourceReservation(String host, UUID consumer, Set<String> providers) {}
