package io.berth.scheduler.host.registry;

import java.util.UUID;

/** A registered record in memory, parsed for decisions. */
public sealed interface RegistryRecord
        permits Cell, ComputeNode, ComputeService, RegisteredAggregate, ServerGroup, RegisteredInstance {
    UUID uuid();

    /** Returns the estimated heap bytes by which this record exceeds a minimal record of its class. */
    default long ownBytes() {
        return 0;
    }
}
