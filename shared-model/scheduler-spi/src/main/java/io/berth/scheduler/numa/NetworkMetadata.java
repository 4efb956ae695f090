package io.berth.scheduler.numa;

import java.util.Set;

/**
 * The physical networks and tunnels that are attached near a host cell, or that a request needs.
 *
 * @param physnets names of physical networks, compared exactly
 * @param tunneled whether tunneled networks are attached, or needed
 */
public record NetworkMetadata(Set<String> physnets, boolean tunneled) {
    public NetworkMetadata {
        physnets = Set.copyOf(physnets);
    }
}
