package io.berth.scheduler.body;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.decision.Constraints;
import io.berth.scheduler.json.JsonValues;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.numa.NetworkMetadata;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.Image;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestLevelParams;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.RequestedNetwork;
import io.berth.scheduler.request.RequestedResources;
import io.berth.scheduler.request.Retry;
import io.berth.scheduler.request.SchedulerHints;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A RequestSpec as clients write it.
 *
 * @param spec without what {@code open} leaves to {@link Constraints}
 * @param open members that were absent, and hence are derived from flavor and image
 */
public record RequestSpecBody(RequestSpec spec, Constraints.Open open) {
    /** Instances one request may place. */
    private static final int INSTANCES_MAX = 1000;

    /**
     * Throws {@link ApiFault} (400) with the path of the first member that is not of its shape.
     *
     * @param uuids makes a uuid for every instance of a request that only says how many
     */
    public static RequestSpecBody read(StrictObject body, Supplier<UUID> uuids) {
        UUID instanceUuid = body.uuid("instance_uuid");
        List<String> instanceUuids = instanceUuids(body, instanceUuid, uuids);
        RequestSpec.Builder spec = RequestSpec.of(flavor(required(body, "flavor")))
                .instanceUuid(instanceUuid == null ? null : instanceUuid.toString())
                .instanceUuids(instanceUuids)
                .numInstances(instanceUuids.size())
                .projectId(body.text("project_id"))
                .userId(body.text("user_id"))
                .image(image(body.object("image")))
                .availabilityZone(body.text("availability_zone"))
                .ignoreHosts(body.texts("ignore_hosts"))
                .forceHosts(body.texts("force_hosts"))
                .forceNodes(body.texts("force_nodes"))
                .requestedDestination(destination(body.object("requested_destination")))
                .instanceGroup(group(body.object("instance_group")))
                .schedulerHints(hints(body.freeObject("scheduler_hints")))
                .networkMetadata(network(body.object("network_metadata")))
                .requestedResources(resources(body))
                .requestLevelParams(levelParams(body.object("request_level_params")))
                .requestedNetworks(networks(body))
                .retry(retry(body.object("retry")))
                .bootFromVolume(body.flag("is_bfv", false))
                .numaTopology(NumaAndPciBody.topology(body.object("numa_topology")))
                .pciRequests(NumaAndPciBody.requests(body));
        body.freeObject("limits");
        body.nothingElse();
        var open = new Constraints.Open(!body.node().has("numa_topology"), !body.node().has("pci_requests"));
        return new RequestSpecBody(spec.build(), open);
    }

    private static List<String> instanceUuids(
            StrictObject body, @Nullable UUID instanceUuid, Supplier<UUID> uuids) {
        List<String> stated = body.uuidTexts("instance_uuids");
        int count = body.integer("num_instances", 1);
        if (count < 1 || count > INSTANCES_MAX || stated.size() > INSTANCES_MAX) {
            throw ApiFault.invalid("$.request_spec.num_instances: must be 1 to " + INSTANCES_MAX);
        }
        if (!stated.isEmpty()) {
            return stated;
        }
        if (instanceUuid != null) {
            return List.of(instanceUuid.toString());
        }
        var invented = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            invented.add(uuids.get().toString());
        }
        return invented;
    }

    private static StrictObject required(StrictObject body, String name) {
        StrictObject object = body.object(name);
        if (object == null) {
            throw ApiFault.invalid("$.request_spec." + name + ": is required");
        }
        return object;
    }

    private static Flavor flavor(StrictObject flavor) {
        var read = new Flavor(
                flavor.longOrNull("id"),
                flavor.text("name"),
                flavor.text("flavorid"),
                amount(flavor, "vcpus"),
                amount(flavor, "memory_mb"),
                amount(flavor, "root_gb"),
                amount(flavor, "ephemeral_gb"),
                amount(flavor, "swap"),
                flavor.textMap("extra_specs"));
        flavor.nothingElse();
        return read;
    }

    private static long amount(StrictObject flavor, String name) {
        int amount = flavor.integer(name, 0);
        if (amount < 0) {
            throw ApiFault.invalid("$.request_spec.flavor." + name + ": must not be negative");
        }
        return amount;
    }

    private static @Nullable Image image(@Nullable StrictObject image) {
        if (image == null) {
            return null;
        }
        var read = new Image(
                image.text("id"),
                image.text("name"),
                image.text("disk_format"),
                JsonValues.plainMembers(image.freeObject("properties")));
        image.nothingElse();
        return read;
    }

    private static @Nullable RequestedDestination destination(@Nullable StrictObject destination) {
        if (destination == null) {
            return null;
        }
        StrictObject cell = destination.object("cell");
        String cellUuid = cell == null ? null : cell.text("uuid");
        if (cell != null) {
            cell.nothingElse();
        }
        var read = new RequestedDestination(
                destination.text("host"),
                destination.text("node"),
                cellUuid,
                destination.flag("allow_cross_cell_move", false));
        destination.nothingElse();
        return read;
    }

    private static @Nullable InstanceGroup group(@Nullable StrictObject group) {
        if (group == null) {
            return null;
        }
        StrictObject rules = group.object("rules");
        Long maxServerPerHost = rules == null ? null : rules.longOrNull("max_server_per_host");
        if (rules != null) {
            rules.nothingElse();
        }
        var read = new InstanceGroup(
                group.text("uuid"),
                group.text("policy"),
                maxServerPerHost,
                Set.copyOf(group.texts("members")),
                group.texts("hosts"));
        group.nothingElse();
        return read;
    }

    private static SchedulerHints hints(JsonNode stated) {
        Map<String, List<String>> hints = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> hint : stated.properties()) {
            var values = new ArrayList<String>();
            for (JsonNode value : hint.getValue().isArray() ? hint.getValue() : List.of(hint.getValue())) {
                if (!value.isTextual()) {
                    throw ApiFault.invalid("$.request_spec.scheduler_hints." + hint.getKey()
                            + ": must be a string or a list of strings");
                }
                values.add(value.textValue());
            }
            hints.put(hint.getKey(), List.copyOf(values));
        }
        return new SchedulerHints(hints);
    }

    static @Nullable NetworkMetadata network(@Nullable StrictObject network) {
        if (network == null) {
            return null;
        }
        var read = new NetworkMetadata(Set.copyOf(network.texts("physnets")), network.flag("tunneled", false));
        network.nothingElse();
        return read;
    }

    private static List<RequestedResources> resources(StrictObject body) {
        var groups = new ArrayList<RequestedResources>();
        for (StrictObject group : body.objects("requested_resources")) {
            Map<String, Long> amounts = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> amount : group.freeObject("resources").properties()) {
                if (!amount.getValue().isIntegralNumber() || amount.getValue().longValue() < 0) {
                    throw ApiFault.invalid("$.request_spec.requested_resources: resources are whole amounts");
                }
                amounts.put(amount.getKey(), amount.getValue().longValue());
            }
            List<List<String>> aggregates = group.textLists("aggregates");
            UUID inTree = group.uuid("in_tree");
            groups.add(new RequestedResources(
                    group.text("requester_id"),
                    amounts,
                    Set.copyOf(group.texts("required_traits")),
                    Set.copyOf(group.texts("forbidden_traits")),
                    aggregates == null ? List.of() : aggregates,
                    inTree == null ? null : inTree.toString(),
                    List.of()));
            group.nothingElse();
        }
        return groups;
    }

    private static RequestLevelParams levelParams(@Nullable StrictObject params) {
        if (params == null) {
            return RequestLevelParams.NONE;
        }
        List<List<String>> sameSubtree = params.textLists("same_subtree");
        var read = new RequestLevelParams(
                Set.copyOf(params.texts("root_required")),
                Set.copyOf(params.texts("root_forbidden")),
                sameSubtree == null ? List.of() : sameSubtree);
        params.nothingElse();
        return read;
    }

    private static List<RequestedNetwork> networks(StrictObject body) {
        var networks = new ArrayList<RequestedNetwork>();
        for (StrictObject network : body.objects("requested_networks")) {
            networks.add(new RequestedNetwork(
                    network.text("network_id"),
                    network.text("port_id"),
                    network.texts("segment_ids"),
                    network.texts("fixed_ips"),
                    network.flag("remote_managed", false)));
            network.nothingElse();
        }
        return networks;
    }

    private static @Nullable Retry retry(@Nullable StrictObject retry) {
        if (retry == null) {
            return null;
        }
        var tried = new ArrayList<Retry.Tried>();
        for (StrictObject host : retry.objects("hosts")) {
            tried.add(new Retry.Tried(host.requiredText("host"), host.text("nodename")));
            host.nothingElse();
        }
        var read = new Retry(retry.longInteger("num_attempts", 0), tried);
        retry.nothingElse();
        return read;
    }
}
