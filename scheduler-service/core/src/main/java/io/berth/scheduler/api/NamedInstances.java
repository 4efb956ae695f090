package io.berth.scheduler.api;

import io.berth.scheduler.host.registry.instance.InstanceNames;
import io.berth.scheduler.host.registry.instance.NameLookup;
import io.berth.scheduler.record.DecisionRecords;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Finds an instance by name: searches the registered instances first, then the decision records. */
@Singleton
class NamedInstances {
    private final InstanceNames registered;
    private final DecisionRecords records;

    NamedInstances(InstanceNames registered, DecisionRecords records) {
        this.registered = registered;
        this.records = records;
    }

    /** See {@link NameLookup#uuidOf}. */
    Uni<UUID> uuidOf(String uuidOrName) {
        return NameLookup.uuidOf(
                uuidOrName,
                name -> registered.find(name)
                        .chain(found -> found.isEmpty() ? records.named(name) : Uni.createFrom().item(found)),
                "registered or on record");
    }
}
