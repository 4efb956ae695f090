package io.berth.scheduler.api;

import io.berth.scheduler.host.registry.instance.InstanceNames;
import io.berth.scheduler.host.registry.instance.NameLookup;
import io.berth.scheduler.record.DecisionRecords;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Finds an instance by name: among the registered instances, or, if none has the name, among the decision records. */
@Singleton
class NamedInstances {
    private final InstanceNames registered;
    private final DecisionRecords records;

    NamedInstances(InstanceNames registered, DecisionRecords records) {
        this.registered = registered;
        this.records = records;
    }

    /**
     * Returns the uuid of an instance. A uuid is returned without checking that the instance exists. Fails with
     * ApiFault: 404 if no instance has the name, 409 if several have it.
     */
    Uni<UUID> uuidOf(String uuidOrName) {
        return NameLookup.uuidOf(
                uuidOrName,
                name -> registered.find(name)
                        .chain(found -> found.isEmpty()
                                ? records.findInstancesNamed(name)
                                : Uni.createFrom().item(found)),
                "registered or on record");
    }
}
