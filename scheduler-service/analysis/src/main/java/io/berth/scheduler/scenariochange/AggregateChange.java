package io.berth.scheduler.scenariochange;

import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Changes the hosts or the metadata of a host aggregate, as {@code PUT /v1/host_aggregates/{uuid}} would.
 *
 * @param uuid uuid of the aggregate
 * @param hosts the hosts after the change; null if {@code empties}, or if the hosts stay as they are
 * @param empties whether the aggregate loses all its hosts
 * @param metadata the metadata after the change; null: unchanged
 * @param path path of this change in the body
 */
record AggregateChange(
        UUID uuid, @Nullable Selector hosts, boolean empties, @Nullable Map<String, String> metadata, String path)
        implements ScenarioChange {
    @Override
    public void make(ScenarioCloud cloud) {
        RegisteredAggregate aggregate = cloud.registry().findAggregate(uuid);
        if (aggregate == null) {
            throw ApiFault.notFound(path + ".uuid: there is no host aggregate " + uuid);
        }
        Set<String> names = names(cloud);
        if (names != null) {
            cloud.refuseContradiction(path + ".hosts", names, "the hosts of", uuid.toString());
            // Also restricts the present hosts to the providers that placement has: hosts that leave the aggregate
            // change in placement, too.
            aggregate.hosts().forEach(cloud::prepareIfPresent);
        }
        if (metadata != null) {
            cloud.refuseContradiction(path + ".metadata", metadata, "the metadata of", uuid.toString());
        }
        cloud.changes.setOrigin(path).changeAggregate(aggregate, metadata, names);
    }

    /** Returns the names of the hosts after the change; null if they are unchanged. */
    private @Nullable Set<String> names(ScenarioCloud cloud) {
        if (empties) {
            return Set.of();
        }
        List<SelectedHost> chosen = hosts == null ? null : cloud.findForChange(hosts);
        return chosen == null
                ? null
                : chosen.stream().map(SelectedHost::host).collect(Collectors.toCollection(TreeSet::new));
    }
}
