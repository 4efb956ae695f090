package io.berth.scheduler.host.states;

import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostService;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.placement.RootCandidates;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A host state and the facts it was made of.
 *
 * @param node null for a root that nobody registered
 * @param named false for one that is called by its uuid, for want of a name
 * @param service null if none is registered
 */
record KnownHost(
        HostState state,
        @Nullable ComputeNode node,
        boolean named,
        Map<String, RunningInstance> instances,
        @Nullable ComputeService service) {

    static KnownHost registered(
            String uuid, ComputeNode node, List<AllocationCandidate> candidates, TreeUse use, HostSources sources) {
        HostState reported = node.state();
        Map<String, RunningInstance> running = sources.registry().instancesOn(node.host(), node.nodename());
        HostState.Builder host = reported.toBuilder()
                .uuid(uuid)
                .allocationCandidates(candidates)
                .numInstances(Math.max(reported.numInstances(), running.size()));
        List<HostAggregate> aggregates = sources.registry().aggregatesOf(node.host());
        if (!aggregates.isEmpty()) {
            host.aggregates(joined(reported.aggregates(), aggregates));
        }
        if (!running.isEmpty()) {
            host.instances(joined(reported.instances(), running));
        }
        ComputeService service = serve(host, node.host(), sources);
        use.applyTo(host, reported);
        return new KnownHost(host.build(), node, true, running, service);
    }

    static KnownHost unregistered(
            String uuid, List<AllocationCandidate> candidates, TreeUse use, HostSources sources) {
        String name = sources.nameOf(uuid);
        List<HostAggregate> aggregates = sources.registry().aggregatesOf(name);
        Map<String, RunningInstance> running = sources.registry().instancesOn(name, name);
        HostState.Builder host = HostState.named(name)
                .uuid(uuid)
                .allocationCandidates(candidates)
                .aggregates(aggregates)
                .instances(running)
                .numInstances(running.size());
        ComputeService service = serve(host, name, sources);
        use.applyTo(host);
        return new KnownHost(host.build(), null, sources.knowsNameOf(uuid), running, service);
    }

    static @Nullable ComputeService serve(HostState.Builder host, String name, HostSources sources) {
        ComputeService service = sources.registry().findService(name);
        if (service != null) {
            host.service(stateOf(service, sources));
        }
        return service;
    }

    /** The same host if its facts are what they were, node and aggregates aside; null if it must be made again. */
    @Nullable KnownHost next(HostSources sources, HostSources.Changes changes) {
        if (changes.names() && node == null && !isNamedBy(sources)) {
            return null;
        }
        if (changes.mayChangeInstancesOf(state.host(), sources)) {
            Map<String, RunningInstance> running = sources.registry().instancesOn(state.host(), state.nodename());
            if (running != instances && !running.equals(instances)) {
                return null;
            }
        }
        ComputeService now = changes.services() ? sources.registry().findService(state.host()) : service;
        if (now == service) {
            return service == null || isUp(service, sources) == state.service().up() ? this : null;
        }
        return now != null && service != null && stateOf(now, sources).equals(state.service())
                ? new KnownHost(state, node, named, instances, now)
                : null;
    }

    private boolean isNamedBy(HostSources sources) {
        return named == sources.knowsNameOf(state.uuid())
                && sources.nameOf(state.uuid()).equals(state.host());
    }

    /** With the state of the other host, if that is alike. */
    KnownHost sharing(KnownHost other) {
        return state.equals(other.state)
                ? new KnownHost(other.state, node, named, instances, service)
                : this;
    }

    private static boolean isUp(ComputeService service, HostSources sources) {
        return service.isHeardOf(sources.registry().asOf(), sources.serviceDownTime());
    }

    private static HostService stateOf(ComputeService service, HostSources sources) {
        return new HostService(
                service.disabled(),
                service.disabledReason(),
                isUp(service, sources),
                service.forcedDown());
    }

    /** Those of a tree's requests that take from the provider itself. */
    static List<AllocationCandidate> candidates(String provider, RootCandidates tree) {
        List<AllocationCandidate> candidates = new ArrayList<>(1);
        tree.requests().forEach(request -> {
            if (request.allocations().containsKey(provider)) {
                candidates.add(new AllocationCandidate(request.allocations(), request.mappings()));
            }
        });
        return candidates;
    }

    private static List<HostAggregate> joined(List<HostAggregate> some, List<HostAggregate> more) {
        if (some.isEmpty()) {
            return more;
        }
        List<HostAggregate> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static Map<String, RunningInstance> joined(
            Map<String, RunningInstance> some, Map<String, RunningInstance> more) {
        if (some.isEmpty()) {
            return more;
        }
        Map<String, RunningInstance> all = new LinkedHashMap<>(some);
        all.putAll(more);
        return all;
    }
}
