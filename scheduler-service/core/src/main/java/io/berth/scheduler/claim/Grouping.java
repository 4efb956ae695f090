package io.berth.scheduler.claim;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The server group of an instance, and the rules by which the instance reserves its place on a host before it claims
 * the host. The instance is a member of the group already, or becomes one with this request.
 *
 * @param <H> the caller's type of a host
 * @param group uuid of the group
 * @param policy the policy that the request names, which counts if the group is not registered; null for none
 * @param maxServerPerHost maximum members per host for the policy anti-affinity, which also counts only if the group is
 *     not registered; null: 1
 * @param isAnyHostTried whether the next ranked host is tried if an affinity group has its members on other hosts than
 *     the one to claim; if false, the attempts end, and the request is decided again
 * @param name returns the name of a host, under which members are counted
 * @param moving for each host name, the members that nova currently moves from or to this host. They count on this
 *     host, even if they are registered on another one
 */
public record Grouping<H>(
        UUID group,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        boolean isAnyHostTried,
        Function<H, String> name,
        Map<String, Set<UUID>> moving) {}
