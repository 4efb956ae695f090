package io.berth.scheduler.host.states;

import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostFacts;
import io.berth.scheduler.host.HostService;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.snapshot.OwnBuilds;
import io.berth.scheduler.request.RequestedDestination;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A cached host, with the data that shows whether it is still current: its service and its name are compared with the
 * present ones before each use. As in nova, the host's map of instances contains the instances of all nodes of its
 * compute service; the number of instances and the usage are those of its node only.
 * <br>Source: nova {@code scheduler/host_manager.py} (_get_instance_info, _update_from_compute_node).
 *
 * @param facts the host without candidates, as filters see it
 * @param node the host's compute node; null for a root provider that is not registered
 * @param hasKnownName false if the host is named by its uuid, because placement's name is unknown
 * @param service the host's compute service; null if none is registered
 * @param isInReachOfAll whether requests whose destination names no cell may use the host
 */
record KnownHost(
        HostFacts facts,
        @Nullable ComputeNode node,
        boolean hasKnownName,
        @Nullable ComputeService service,
        boolean isInReachOfAll) {

    /**
     * Builds the host of a registered compute node.
     *
     * @param use capacity and usage of the host's tree
     * @param claims number of claims in flight whose amounts were added to the tree. They count as I/O operations if
     *     builds do ({@link OwnBuilds#areCounted}); a claim whose instance is already registered counts twice, because
     *     it is also a build
     */
    static KnownHost registered(String uuid, ComputeNode node, TreeUse use, int claims, HostSources sources) {
        HostState reported = node.state();
        Map<String, RunningInstance> running = sources.registry().instancesOn(node.host());
        int instancesOnNode = sources.registry().instancesOn(node.host(), node.nodename()).size();
        HostState.Builder host = reported.toBuilder()
                .uuid(uuid)
                .numInstances(Math.max(reported.numInstances(), instancesOnNode));
        OwnBuilds builds = sources.registry().ownBuilds();
        if (builds.areCounted()) {
            host.numIoOps(reported.numIoOps() + builds.on(node.host(), node.nodename()) + claims);
        }
        List<HostAggregate> aggregates = sources.registry().aggregatesOf(node.host());
        if (!aggregates.isEmpty()) {
            host.aggregates(union(reported.aggregates(), aggregates));
        }
        if (!running.isEmpty()) {
            host.instances(union(reported.instances(), running));
        }
        ComputeService service = setService(host, node.host(), sources);
        if (sources.registry().listsAllHosts()) {
            use.applyHigher(host, node);
        } else {
            use.applyTo(host, node);
        }
        return new KnownHost(host.build().facts(), node, true, service, sources.isInReach(node, null));
    }

    /**
     * Builds the host of a root provider that is not registered. Its instances, aggregates and service may be
     * registered.
     */
    static KnownHost unregistered(String uuid, TreeUse use, HostSources sources) {
        String name = sources.nameOf(uuid);
        List<HostAggregate> aggregates = sources.registry().aggregatesOf(name);
        Map<String, RunningInstance> running = sources.registry().instancesOn(name);
        HostState.Builder host = HostState.named(name)
                .uuid(uuid)
                .aggregates(aggregates)
                .instances(running)
                .numInstances(sources.registry().instancesOn(name, name).size());
        ComputeService service = setService(host, name, sources);
        use.applyTo(host);
        boolean isInReachOfAll = !sources.registry().listsAllHosts();
        return new KnownHost(host.build().facts(), null, sources.knowsNameOf(uuid), service, isInReachOfAll);
    }

    /**
     * Sets the state of the host's service, and returns the service. Returns null, and keeps the reported state, if no
     * service is registered.
     */
    static @Nullable ComputeService setService(HostState.Builder host, String name, HostSources sources) {
        ComputeService service = sources.registry().findService(name);
        if (service != null) {
            HostService state = new HostService(
                    service.disabled(), service.disabledReason(), sources.isUp(service), service.forcedDown());
            host.service(state.equals(HostService.UP) ? HostService.UP : state);
        }
        return service;
    }

    /**
     * Returns whether heartbeats have left the state of the service unchanged. True if the host had no service; if the
     * service is still up; or if it is still down, and is still the service with the latest heartbeat of its host.
     * {@link RegistryMarks} show changes of the registered records.
     */
    boolean hasCurrentService(HostSources sources) {
        if (service == null) {
            return true;
        }
        boolean isUp = sources.isUp(service);
        return isUp == facts.service().up() && (isUp || sources.registry().findService(facts.host()) == service);
    }

    /** Returns whether the name from placement is unchanged; true for a compute node, whose name is registered. */
    boolean hasCurrentName(HostSources sources) {
        return node != null
                || hasKnownName == sources.knowsNameOf(uuid()) && sources.nameOf(uuid()).equals(facts.host());
    }

    /** Returns the uuid of the host's provider in placement. */
    String uuid() {
        // Both factory methods set it.
        return Objects.requireNonNull(facts.uuid());
    }

    /** Returns whether a request with this destination may use the host; see {@link HostSources#isInReach}. */
    boolean isInReach(HostSources sources, @Nullable RequestedDestination destination) {
        return destination == null || destination.cellUuid() == null || node == null
                ? isInReachOfAll
                : sources.isInReach(node, destination);
    }

    /** Returns the host for one request, with the candidates of that request. */
    HostState with(List<AllocationCandidate> candidates) {
        return new HostState(facts, candidates, Limits.NONE);
    }

    /**
     * Returns this host with the facts object of {@code other} if both are equal, so that cached values apply to it.
     */
    KnownHost reusingFactsOf(KnownHost other) {
        return facts.equals(other.facts) ? new KnownHost(other.facts, node, hasKnownName, service, isInReachOfAll)
                : this;
    }

    private static List<HostAggregate> union(List<HostAggregate> first, List<HostAggregate> second) {
        if (first.isEmpty()) {
            return second;
        }
        List<HostAggregate> union = new ArrayList<>(first);
        union.addAll(second);
        return union;
    }

    private static Map<String, RunningInstance> union(
            Map<String, RunningInstance> first, Map<String, RunningInstance> second) {
        if (first.isEmpty()) {
            return second;
        }
        Map<String, RunningInstance> union = new LinkedHashMap<>(first);
        union.putAll(second);
        return union;
    }
}
