package io.berth.scheduler.host.registry;

import java.util.UUID;

/** What decisions know of one registered record. */
public sealed interface RegistryRecord
        permits Cell, ComputeNode, ComputeService, RegisteredAggregate, ServerGroup, RegisteredInstance {
    UUID uuid();

    /** Of heap, reckoned: what it takes beside what any record of its kind does. */
    default long ownBytes() {
        return 0;
    }
}
