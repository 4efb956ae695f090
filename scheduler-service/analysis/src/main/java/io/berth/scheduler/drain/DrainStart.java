package io.berth.scheduler.drain;

import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.scenariochange.DeadlineExceeded;
import io.berth.scheduler.scenariochange.SelectedHost;
import io.berth.scheduler.scenariochange.Selector;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Finds the hosts that a drain selects when it begins, with their compute nodes and instances. */
final class DrainStart {
    /** The maximum number of hosts of a drain; a request for more gets the response 413. */
    static final int HOSTS_MAX = 1_000;
    /** The maximum number of instances on the hosts of a drain; a request for more gets the response 413. */
    static final int INSTANCES_MAX = 100_000;

    private DrainStart() {}

    /**
     * Returns the hosts in the order of the selector. Blocks; for the analysis worker only. Throws ApiFault: 400 and
     * 404 with the path of an invalid selector, 413 for more hosts or instances than a drain may have, 501 if placement
     * is not Berth's, 503 if it does not respond or the time is up.
     */
    static List<DrainedHost> find(Snapshot snapshot, Selector selector) {
        List<SelectedHost> selected;
        try {
            selected = selector.find(snapshot);
        } catch (DeadlineExceeded late) {
            throw new ApiFault(
                    ErrorCode.PLACEMENT_UNAVAILABLE,
                    "the time was up before the hosts of the selector were found; send the request again");
        }
        requireAtMost(selector, "hosts", selected.size(), HOSTS_MAX);
        List<DrainedHost> hosts = selected.stream().map(each -> host(snapshot.registry(), each)).toList();
        int instances = hosts.stream().mapToInt(each -> each.instances().size()).sum();
        requireAtMost(selector, "instances", instances, INSTANCES_MAX);
        return hosts;
    }

    private static void requireAtMost(Selector selector, String unit, int count, int max) {
        if (count > max) {
            throw new ApiFault(
                    ErrorCode.BODY_TOO_LARGE,
                    "%s: selects %d %s, but a drain may have at most %d: select fewer hosts"
                            .formatted(selector.path(), count, unit, max));
        }
    }

    private static DrainedHost host(RegistrySnapshot registry, SelectedHost selected) {
        Set<UUID> nodes = new HashSet<>(selected.providers());
        registry.computeNodesOf(selected.host()).stream().map(ComputeNode::uuid).forEach(nodes::add);
        return new DrainedHost(selected.host(), nodes, instancesOn(selected.host(), registry), null, false);
    }

    /** Returns the uuids of the instances that are registered on a host, on any of its compute nodes. */
    static Set<UUID> instancesOn(String host, RegistrySnapshot registry) {
        Set<UUID> instances = new HashSet<>();
        registry.instancesOn(host).keySet().forEach(uuid -> instances.add(UUID.fromString(uuid)));
        return instances;
    }
}
