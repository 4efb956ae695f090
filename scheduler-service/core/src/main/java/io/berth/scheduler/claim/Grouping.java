package io.berth.scheduler.claim;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The rules by which an instance reserves a place in its server group on a host before it claims there. The instance
 * is in the group, or is about to join it.
 *
 * @param <H> the caller's type of a host
 * @param policy as in the request; the registered policy of the group takes precedence
 * @param maxServerPerHost maximum members per host for the policy anti-affinity; null: 1
 * @param isAnyHostTried what to do if an affinity group is on other hosts than the claimed one: true tries the next
 *     ranked host, false ends the attempts, so that the request is decided again
 * @param name returns the name of a host, by which its members are counted
 * @param moving by host name, members that nova moves from or to it; they count there wherever they are registered
 */
public record Grouping<H>(
        UUID group,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        boolean isAnyHostTried,
        Function<H, String> name,
        Map<String, Set<UUID>> moving) {}
