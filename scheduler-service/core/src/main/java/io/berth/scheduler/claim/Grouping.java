package io.berth.scheduler.claim;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The server group that an instance is in, or is about to join.
 *
 * @param <H> the caller's type of a host
 * @param policy as in the request; the registered policy of the group takes precedence
 * @param maxServerPerHost rule of the anti-affinity policy; null: 1
 * @param isAnyHostTried whether lower-ranked hosts are tried even if the group is bound to other hosts; otherwise the
 *     request is decided again
 * @param name returns the name of a host, by which its members are counted
 * @param moving by host, members that nova moves from or to it, regardless of their registrations
 */
public record Grouping<H>(
        UUID group,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        boolean isAnyHostTried,
        Function<H, String> name,
        Map<String, Set<UUID>> moving) {}
