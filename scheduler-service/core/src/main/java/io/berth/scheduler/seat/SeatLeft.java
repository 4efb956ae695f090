package io.berth.scheduler.seat;

import java.util.Set;
import java.util.UUID;

/**
 * The seat an instance leaves. It stays taken until the allocations there are gone, since the instance may go back.
 *
 * @param consumer who holds them: the instance, or its migration
 * @param providers from which it holds them; any of these counts
 */
public record SeatLeft(String host, UUID consumer, Set<String> providers) {}
