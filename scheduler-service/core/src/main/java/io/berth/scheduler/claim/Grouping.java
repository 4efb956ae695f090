package io.berth.scheduler.claim;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The server group of an instance, and the rules by which the instance reserves its place on a host before it claims
 * there. The instance is a member already, or becomes one with this request.
 *
 * @param <H> the caller's type of a host
 * @param group uuid of the group
 * @param policy as in the request; the policy of the registered group takes precedence
 * @param maxServerPerHost maximum members per host for the policy anti-affinity; null: 1
 * @param isAnyHostTried what happens if an affinity group has its members on other hosts than the one to claim: if
 *     true, the next ranked host is tried; if false, the attempts end and the request is decided again
 * @param name returns the name of a host, under which members are counted
 * @param moving host name to the members that nova currently moves from or to this host; they count on this host
 *     whatever host they are registered on
 */
public record Grouping<H>(
        UUID group,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        boolean isAnyHostTried,
        Function<H, String> name,
        Map<String, Set<UUID>> moving) {}
