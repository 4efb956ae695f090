package io.berth.scheduler.numa;

import java.util.Set;

/**
 * The networks that are attached near a host cell, or that a request needs near its cells.
 *
 * @param physnets names of physical networks, compared exactly
 * @param tunneled whether tunneled networks are attached, or needed
 */
public record NetworkMetadata(Set<String> physnets, boolean tunneled) {
    public NetworkMetadata {
        physnets = Set.copyOf(physnets);
    }
}
