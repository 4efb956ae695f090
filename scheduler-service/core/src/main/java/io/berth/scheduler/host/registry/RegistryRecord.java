package io.berth.scheduler.host.registry;

import java.util.UUID;

/** One registered record, as decisions use it. */
public sealed interface RegistryRecord
        permits Cell, ComputeNode, ComputeService, RegisteredAggregate, ServerGroup, RegisteredInstance {
    UUID uuid();

    /** Returns the estimated heap bytes beyond those that any record of its kind takes. */
    default long ownBytes() {
        return 0;
    }
}
