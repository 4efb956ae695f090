package io.berth.scheduler.claim;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The server group that an instance is in, or is about to join.
 *
 * @param <H> whatever the caller calls a host
 * @param policy as the request has it; what is registered of the group counts before that
 * @param maxServerPerHost rule of the anti-affinity policy; null: 1
 * @param isAnyHostTried whether hosts behind are tried even if the group is bound to one; else the request is better
 *     decided anew
 * @param name of a host, by which its members are counted
 * @param moving by host, members that nova moves from or to it, whatever Berth's records say of them
 */
public record Grouping<H>(
        UUID group,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        boolean isAnyHostTried,
        Function<H, String> name,
        Map<String, Set<UUID>> moving) {}
