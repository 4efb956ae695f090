package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.RegistryRecord;
import jakarta.annotation.Nullable;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules for host names. They exist because compute nodes, services, aggregates and instances refer to each other by the
 * exact name of the host.
 *
 * <ol>
 * <li>A compute node must keep its host and node name while instances are registered on it. Otherwise the instances
 * would be on no host, and would count neither for their server groups nor for the host. Nodes of ironic are exempt,
 * because they move between compute services.
 * <li>A record must not name a host that is not registered and differs from a registered host in case alone. Registered
 * hosts are, for a compute node, the hosts of services; for a service, those of compute nodes; for an aggregate, of
 * which only added hosts are checked, those of services and of compute nodes.
 * </ol>
 */
final class HostNameRules {
    private static final String IRONIC = "ironic";

    private HostNameRules() {}

    /**
     * Returns a text for the error that describes how the record violates a rule; null if it may be written. Scans all
     * hosts if the record names a host that is not registered.
     */
    static @Nullable String findBreach(RegistryRecord record, RegistrySnapshot registered) {
        return findBreach(record, registered, registered);
    }

    /**
     * Like {@link #findBreach(RegistryRecord, RegistrySnapshot)}, for a record that nova has already written.
     *
     * @param before the registry before the record was written
     * @param after the registry with the record
     */
    static @Nullable String findBreach(RegistryRecord record, RegistrySnapshot before, RegistrySnapshot after) {
        return switch (record) {
            case ComputeNode node -> {
                String breach = findRenameWithInstances(node, before);
                yield breach != null
                        ? breach
                        : findCaseMismatch("compute node " + node.uuid(), Set.of(node.host()),
                                host -> after.findService(host) != null,
                                services(after));
            }
            case ComputeService service -> findCaseMismatch(
                    "service " + service.uuid(), Set.of(service.host()), host -> !after.computeNodesOf(host).isEmpty(),
                    nodes(after));
            case RegisteredAggregate aggregate -> {
                RegisteredAggregate stored = before.findAggregate(aggregate.uuid());
                Set<String> newHosts = new TreeSet<>(aggregate.hosts());
                newHosts.removeAll(stored == null ? Set.of() : stored.hosts());
                yield findCaseMismatch(
                        "aggregate " + aggregate.name(), newHosts,
                        host -> !after.computeNodesOf(host).isEmpty() || after.findService(host) != null,
                        Stream.concat(nodes(after), services(after)));
            }
            default -> null;
        };
    }

    /** Returns the hosts of all nodes. The stream is lazy: all nodes are listed only if it is consumed. */
    private static Stream<String> nodes(RegistrySnapshot registry) {
        return Stream.of(registry).flatMap(all -> all.listComputeNodes().stream()).map(ComputeNode::host);
    }

    private static Stream<String> services(RegistrySnapshot registry) {
        return Stream.of(registry).flatMap(all -> all.listServices().stream()).map(ComputeService::host);
    }

    /** Checks rule 1. */
    private static @Nullable String findRenameWithInstances(ComputeNode node, RegistrySnapshot before) {
        ComputeNode stored = before.findComputeNode(node.uuid());
        if (stored == null
                || stored.host().equals(node.host()) && stored.nodename().equals(node.nodename())
                || isIronic(stored) || isIronic(node)) {
            return null;
        }
        int instances = before.instancesOn(stored.host(), stored.nodename()).size();
        return instances == 0
                ? null
                : ("compute node %s is %s and has %d instances, which would be on no host if it were %s: move them"
                        + " first, or keep the name")
                        .formatted(node.uuid(), name(stored, node), instances, name(node, stored));
    }

    private static boolean isIronic(ComputeNode node) {
        return IRONIC.equalsIgnoreCase(Objects.requireNonNullElse(node.state().hypervisorType(), ""));
    }

    /** Names a node in an error: by its host, or by node and host if both nodes have the same host. */
    private static String name(ComputeNode node, ComputeNode other) {
        return node.host().equals(other.host())
                ? "node " + node.nodename() + " of host " + node.host()
                : "host " + node.host();
    }

    /**
     * Checks rule 2.
     *
     * @param record description of the record, for the error
     * @param hostNames host names in the record
     * @param isRegistered whether a host with exactly this name is registered
     * @param registeredHosts names of all registered hosts
     */
    private static @Nullable String findCaseMismatch(
            String record, Set<String> hostNames, Predicate<String> isRegistered, Stream<String> registeredHosts) {
        Set<String> unknown = hostNames.stream()
                .filter(isRegistered.negate())
                .collect(Collectors.toCollection(TreeSet::new));
        if (unknown.isEmpty()) {
            return null;
        }
        Set<String> anyCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.addAll(unknown);
        return registeredHosts.filter(anyCase::contains)
                .findFirst()
                .map(near -> ("%s names host %s, which differs from the registered host %s in case alone;"
                        + " did you mean %s?")
                        .formatted(
                                record, unknown.stream().filter(near::equalsIgnoreCase).findFirst().orElseThrow(), near,
                                near))
                .orElse(null);
    }
}
