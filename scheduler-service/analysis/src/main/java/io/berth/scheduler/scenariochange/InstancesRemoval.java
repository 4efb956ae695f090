package io.berth.scheduler.scenariochange;

import io.berth.model.Maps;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.job.FleetUse;
import io.berth.scheduler.placement.AllocationsResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Removes instances, with all their allocations.
 *
 * @param path path in the body of the list of instances, or of the removal of their hosts
 */
record InstancesRemoval(List<UUID> instances, String path) implements ScenarioChange {
    @Override
    public void make(ScenarioCloud cloud) {
        Map<UUID, AllocationsResult.Allocations> held = cloud.allocationsOf(instances);
        for (int i = 0; i < instances.size(); i++) {
            UUID instance = instances.get(i);
            String instancePath = path + "[" + i + "]";
            if (!cloud.noteRemovedInstance(instance)) {
                throw ApiFault.invalid(instancePath + ": instance " + instance + " is removed by an earlier change");
            }
            Map<String, Map<String, Long>> allocations = Maps.require(held, instance).allocations();
            if (cloud.present.registry().findInstance(instance) == null && allocations.isEmpty()) {
                throw ApiFault.notFound(instancePath + ": there is no instance " + instance);
            }
            cloud.changes.removeRegistration(instance, allocations);
        }
        freeAllocations(cloud, held, Set.of());
    }

    /**
     * Frees the allocations of the instances, but leaves their registrations.
     *
     * @param removed root providers that the same change removes, so that allocations on them need not be freed
     */
    void freeAllocations(ScenarioCloud cloud, Set<UUID> removed) {
        freeAllocations(cloud, cloud.allocationsOf(instances), removed);
    }

    private void freeAllocations(ScenarioCloud cloud, Map<UUID, AllocationsResult.Allocations> held,
            Set<UUID> removed) {
        Map<String, Map<String, Long>> freed = new HashMap<>();
        held.values().forEach(allocations -> allocations.allocations().forEach((provider, resources) -> {
            Map<String, Long> sums = freed.computeIfAbsent(provider, key -> new HashMap<>());
            resources.forEach((name, amount) -> sums.merge(name, -amount, Long::sum));
        }));
        removed.forEach(provider -> freed.remove(provider.toString()));
        freed.forEach((provider, sums) -> cloud.changes.setOrigin(path).fleet(new FleetUse(provider, sums).change()));
    }
}
