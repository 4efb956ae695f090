package io.berth.scheduler.numa;

import java.util.Set;

/**
 * Physical networks and tunnels: in a host cell those attached near it, in a request those it needs.
 *
 * @param physnets names of physical networks, compared exactly
 * @param tunneled whether tunneled networks are attached here, or needed
 */
public record NetworkMetadata(Set<String> physnets, boolean tunneled) {
    public NetworkMetadata {
        physnets = Set.copyOf(physnets);
    }
}
