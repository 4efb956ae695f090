package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.JsonValues;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.numa.NetworkMetadata;
import io.berth.scheduler.pci.PciNumaPolicy;
import io.berth.scheduler.pci.PciRequest;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.Image;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.RequestedNetwork;
import io.berth.scheduler.request.RequestedResources;
import io.berth.scheduler.request.Retry;
import io.berth.scheduler.request.SchedulerHints;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the member {@code request_spec}. Throws ApiFault (400) with the path of what is wrong. */
final class RequestSpecBody {
    private RequestSpecBody() {}

    static RequestSpec read(StrictObject spec) {
        StrictObject flavor = spec.object("flavor");
        if (flavor == null) {
            throw ApiFault.invalid("$.request_spec.flavor: is required");
        }
        String instance = spec.uuidText("instance_uuid");
        List<String> instances = spec.uuidTexts("instance_uuids");
        Integer count = spec.positive("num_instances");
        spec.any("limits");
        RequestSpec read = RequestSpec.of(flavor(flavor))
                .instanceUuid(instance)
                .instanceUuids(instances.isEmpty() && instance != null ? List.of(instance) : instances)
                .numInstances(count == null ? 1 : count)
                .projectId(spec.text("project_id"))
                .userId(spec.text("user_id"))
                .image(image(spec.object("image")))
                .availabilityZone(spec.text("availability_zone"))
                .ignoreHosts(spec.texts("ignore_hosts"))
                .forceHosts(spec.texts("force_hosts"))
                .forceNodes(spec.texts("force_nodes"))
                .requestedDestination(destination(spec.object("requested_destination")))
                .instanceGroup(group(spec.object("instance_group")))
                .schedulerHints(hints(spec.freeObject("scheduler_hints")))
                .numaTopology(numa(spec.object("numa_topology")))
                .pciRequests(spec.objects("pci_requests").stream()
                        .map(RequestSpecBody::pciRequest)
                        .toList())
                .networkMetadata(networkMetadata(spec.object("network_metadata")))
                .requestedResources(spec.objects("requested_resources").stream()
                        .map(RequestSpecBody::resources)
                        .toList())
                .requestedNetworks(spec.objects("requested_networks").stream()
                        .map(RequestSpecBody::network)
                        .toList())
                .retry(retry(spec.object("retry")))
                .bootFromVolume(spec.flag("is_bfv", false))
                .build();
        spec.nothingElse();
        return read;
    }

    private static Flavor flavor(StrictObject flavor) {
        Flavor read = new Flavor(
                flavor.longOrNull("id"),
                flavor.text("name"),
                flavor.text("flavorid"),
                flavor.amount("vcpus"),
                flavor.amount("memory_mb"),
                flavor.amount("root_gb"),
                flavor.amount("ephemeral_gb"),
                flavor.amount("swap"),
                flavor.textMap("extra_specs"));
        flavor.nothingElse();
        return read;
    }

    private static Image image(StrictObject image) {
        if (image == null) {
            return null;
        }
        Image read = new Image(
                image.text("id"),
                image.text("name"),
                image.text("disk_format"),
                JsonValues.plainMembers(image.freeObject("properties")));
        image.nothingElse();
        return read;
    }

    private static RequestedDestination destination(StrictObject destination) {
        if (destination == null) {
            return null;
        }
        StrictObject cell = destination.object("cell");
        String cellUuid = cell == null ? null : cell.requiredText("uuid");
        RequestedDestination read = new RequestedDestination(
                destination.text("host"),
                destination.text("node"),
                cellUuid,
                destination.flag("allow_cross_cell_move", false));
        destination.nothingElse();
        if (cell != null) {
            cell.nothingElse();
        }
        return read;
    }

    private static InstanceGroup group(StrictObject group) {
        if (group == null) {
            return null;
        }
        StrictObject rules = group.object("rules");
        Integer max = rules == null ? null : rules.positive("max_server_per_host");
        if (rules != null) {
            rules.nothingElse();
        }
        InstanceGroup read = new InstanceGroup(
                group.text("uuid"),
                group.text("policy"),
                max == null ? null : max.longValue(),
                Set.copyOf(group.texts("members")),
                group.texts("hosts"));
        group.nothingElse();
        return read;
    }

    /** A bare text is a list of one. */
    private static SchedulerHints hints(JsonNode object) {
        Map<String, List<String>> hints = new LinkedHashMap<>();
        for (var hint : object.properties()) {
            String path = "$.request_spec.scheduler_hints." + hint.getKey();
            List<String> values = new ArrayList<>();
            if (hint.getValue().isArray()) {
                hint.getValue().forEach(value -> values.add(hintText(value, path)));
            } else if (!hint.getValue().isNull()) {
                values.add(hintText(hint.getValue(), path));
            }
            hints.put(hint.getKey(), values);
        }
        return new SchedulerHints(hints);
    }

    private static String hintText(JsonNode value, String path) {
        if (!value.isTextual()) {
            throw ApiFault.invalid(path + ": must be a string or a list of strings");
        }
        return value.textValue();
    }

    private static InstanceNuma numa(StrictObject topology) {
        if (topology == null) {
            return null;
        }
        List<InstanceNumaCell> cells = new ArrayList<>();
        for (StrictObject cell : topology.objects("cells")) {
            cells.add(new InstanceNumaCell(
                    cell.integer("id", 0),
                    cell.cpus("cpuset"),
                    cell.cpus("pcpuset"),
                    cell.longInteger("memory", 0),
                    cell.integerOrNull("pagesize"),
                    CpuPolicy.find(cell.textOneOf("cpu_policy", Set.of("shared", "dedicated", "mixed"))),
                    CpuThreadPolicy.find(
                            cell.textOneOf("cpu_thread_policy", Set.of("prefer", "isolate", "require")))));
            cell.nothingElse();
        }
        InstanceNuma read = new InstanceNuma(
                cells,
                EmulatorThreadsPolicy.find(
                        topology.textOneOf("emulator_threads_policy", Set.of("isolate", "share"))));
        topology.nothingElse();
        return read;
    }

    private static PciRequest pciRequest(StrictObject request) {
        List<Map<String, ?>> spec = new ArrayList<>();
        request.objects("spec").forEach(alternative -> spec.add(JsonValues.plainMembers(alternative.node())));
        PciRequest read = new PciRequest(
                request.text("request_id"),
                request.integer("count", 1),
                spec,
                request.text("alias_name"),
                PciNumaPolicy.find(
                        request.textOneOf("numa_policy", Set.of("legacy", "preferred", "required", "socket"))));
        request.nothingElse();
        return read;
    }

    private static NetworkMetadata networkMetadata(StrictObject network) {
        if (network == null) {
            return null;
        }
        NetworkMetadata read =
                new NetworkMetadata(Set.copyOf(network.texts("physnets")), network.flag("tunneled", false));
        network.nothingElse();
        return read;
    }

    private static RequestedResources resources(StrictObject group) {
        Map<String, Long> amounts = new LinkedHashMap<>();
        StrictObject resources = group.object("resources");
        if (resources != null) {
            resources.node().fieldNames().forEachRemaining(name -> amounts.put(name, resources.amount(name)));
        }
        List<List<String>> aggregates = group.textLists("aggregates");
        RequestedResources read = new RequestedResources(
                group.text("requester_id"),
                amounts,
                Set.copyOf(group.texts("required_traits")),
                Set.copyOf(group.texts("forbidden_traits")),
                aggregates == null ? List.of() : aggregates,
                group.text("in_tree"),
                List.of());
        group.nothingElse();
        return read;
    }

    private static RequestedNetwork network(StrictObject network) {
        List<String> fixedIps = new ArrayList<>();
        JsonNode given = network.any("fixed_ips");
        if (given != null) {
            given.forEach(address -> fixedIps.add(address.isTextual() ? address.textValue() : address.toString()));
        }
        RequestedNetwork read = new RequestedNetwork(
                network.text("network_id"),
                network.text("port_id"),
                network.texts("segment_ids"),
                fixedIps,
                network.flag("remote_managed", false));
        network.nothingElse();
        return read;
    }

    private static Retry retry(StrictObject retry) {
        if (retry == null) {
            return null;
        }
        List<Retry.Tried> hosts = new ArrayList<>();
        for (StrictObject tried : retry.objects("hosts")) {
            hosts.add(new Retry.Tried(tried.requiredText("host"), tried.text("nodename")));
            tried.nothingElse();
        }
        Retry read = new Retry(retry.longInteger("num_attempts", 0), hosts);
        retry.nothingElse();
        return read;
    }
}
