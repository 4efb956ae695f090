package io.berth.scheduler.body;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.registry.HostReport;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.DisplayName;
import io.berth.scheduler.json.JsonValues;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.Image;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestLevelParams;
import io.berth.scheduler.request.RequestNames;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.Retry;
import io.berth.scheduler.request.SchedulerHints;
import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.RequestedNetwork;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The RequestSpec of a request body.
 *
 * @param spec the request that the body states; with generated uuids if it has none and a generator was given
 * @param toDerive members that the body omits, and that {@link Constraints} derives from flavor and image; a member
 *     that is present as null is not derived
 * @param namesInstances whether the body has instance uuids; false if it only has {@code num_instances}
 */
public record RequestSpecBody(RequestSpec spec, Constraints.Open toDerive, boolean namesInstances) {
    /** Maximum instances of one request; a request for more gets 400. */
    public static final int INSTANCES_MAX = 1_000;

    /**
     * Reads and validates a RequestSpec. Throws {@link ApiFault} (400) with the path of the first invalid member.
     *
     * @param uuids generates a uuid for each instance if the body has no uuids; null to leave {@code spec} without
     *     uuids in this case
     */
    public static RequestSpecBody read(StrictObject body, @Nullable Supplier<UUID> uuids) {
        UUID instanceUuid = body.uuid("instance_uuid");
        List<String> uuidsInBody = body.uuidTexts("instance_uuids");
        int count = body.integer("num_instances", 1);
        if (count < 1 || count > INSTANCES_MAX) {
            throw body.invalid("num_instances", "must be 1 to " + INSTANCES_MAX);
        }
        if (uuidsInBody.size() > INSTANCES_MAX) {
            throw body.invalid("instance_uuids", "must have at most " + INSTANCES_MAX + " elements");
        }
        List<String> instanceUuids = instanceUuids(uuidsInBody, instanceUuid, count, uuids);
        RequestLevelParams levelParams = body.object("request_level_params", RequestSpecBody::levelParams);
        RequestSpec.Builder spec = RequestSpec.of(body.requiredObject("flavor", RequestSpecBody::flavor))
                .instanceUuid(instanceUuid == null ? null : instanceUuid.toString())
                .instanceUuids(instanceUuids)
                .numInstances(instanceUuids.isEmpty() ? count : instanceUuids.size())
                .projectId(body.text("project_id"))
                .userId(body.text("user_id"))
                .image(body.object("image", RequestSpecBody::image))
                .availabilityZone(body.text("availability_zone"))
                .ignoreHosts(body.texts("ignore_hosts"))
                .forceHosts(body.texts("force_hosts"))
                .forceNodes(body.texts("force_nodes"))
                .requestedDestination(body.object("requested_destination", RequestSpecBody::destination))
                .instanceGroup(body.object("instance_group", RequestSpecBody::group))
                .schedulerHints(new SchedulerHints(body.map("scheduler_hints", RequestSpecBody::hint)))
                .networkMetadata(body.object("network_metadata", HostReport::network))
                .requestedResources(body.objects("requested_resources", RequestSpecBody::resources))
                .requestLevelParams(levelParams == null ? RequestLevelParams.NONE : levelParams)
                .requestedNetworks(body.objects("requested_networks", RequestSpecBody::network))
                .retry(body.object("retry", RequestSpecBody::retry))
                .bootFromVolume(body.flag("is_bfv", false))
                .names(new RequestNames(
                        DisplayName.readOfInstance(body), DisplayName.read(body, "project_name"),
                        DisplayName.read(body, "user_name")))
                .numaTopology(body.object("numa_topology", NumaAndPciBody::topology))
                .pciRequests(body.objects("pci_requests", NumaAndPciBody::request));
        // nova's RequestSpec has this member, which nothing reads here.
        body.anyObject("limits");
        body.refuseUnreadMembers();
        var toDerive = new Constraints.Open(!body.node().has("numa_topology"), !body.node().has("pci_requests"));
        return new RequestSpecBody(spec.build(), toDerive, !uuidsInBody.isEmpty() || instanceUuid != null);
    }

    private static List<String> instanceUuids(
            List<String> uuidsInBody, @Nullable UUID instanceUuid, int count, @Nullable Supplier<UUID> uuids) {
        if (!uuidsInBody.isEmpty()) {
            return uuidsInBody;
        }
        if (instanceUuid != null) {
            return List.of(instanceUuid.toString());
        }
        return uuids == null ? List.of() : Stream.generate(uuids).limit(count).map(UUID::toString).toList();
    }

    private static Flavor flavor(StrictObject flavor) {
        return new Flavor(
                flavor.longOrNull("id"),
                flavor.text("name"),
                flavor.text("flavorid"),
                amount(flavor, "vcpus"),
                amount(flavor, "memory_mb"),
                amount(flavor, "root_gb"),
                amount(flavor, "ephemeral_gb"),
                amount(flavor, "swap"),
                flavor.map("extra_specs", StrictObject.TEXT));
    }

    private static long amount(StrictObject flavor, String name) {
        int amount = flavor.integer(name, 0);
        if (amount < 0) {
            throw flavor.invalid(name, "must not be negative");
        }
        return amount;
    }

    private static Image image(StrictObject image) {
        return new Image(
                image.text("id"),
                image.text("name"),
                image.text("disk_format"),
                JsonValues.plainMembers(image.anyObject("properties")));
    }

    private static RequestedDestination destination(StrictObject destination) {
        return new RequestedDestination(
                destination.text("host"),
                destination.text("node"),
                destination.object("cell", cell -> cell.text("uuid")),
                destination.flag("allow_cross_cell_move", false),
                destination.textLists("aggregates").stream().<Set<String>>map(TreeSet::new).toList(),
                Set.copyOf(destination.texts("forbidden_aggregates")));
    }

    private static InstanceGroup group(StrictObject group) {
        return new InstanceGroup(
                group.text("uuid"),
                group.text("policy"),
                group.object("rules", rules -> rules.longOrNull("max_server_per_host")),
                Set.copyOf(group.texts("members")),
                group.texts("hosts"));
    }

    /** Reads a hint: a list of strings, or one string, which is read as a list of one element. */
    private static List<String> hint(JsonNode value, String path) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value.isArray() ? value : List.of(value)) {
            if (!item.isTextual()) {
                throw ApiFault.invalid(path + ": must be a string or a list of strings");
            }
            texts.add(item.textValue());
        }
        return List.copyOf(texts);
    }

    private static OutsideGroup resources(StrictObject group) {
        UUID inTree = group.uuid("in_tree");
        return new OutsideGroup(
                group.text("requester_id"),
                group.map("resources", StrictObject.within(0, Long.MAX_VALUE)),
                Set.copyOf(group.texts("required_traits")),
                Set.copyOf(group.texts("forbidden_traits")),
                group.textLists("aggregates").stream().<Set<String>>map(TreeSet::new).toList(),
                inTree == null ? null : inTree.toString());
    }

    private static RequestLevelParams levelParams(StrictObject params) {
        return new RequestLevelParams(
                Set.copyOf(params.texts("root_required")),
                Set.copyOf(params.texts("root_forbidden")),
                params.textLists("same_subtree"));
    }

    private static RequestedNetwork network(StrictObject network) {
        return new RequestedNetwork(
                network.text("network_id"),
                network.text("port_id"),
                network.texts("segment_ids"),
                !network.texts("fixed_ips").isEmpty(),
                network.flag("remote_managed", false));
    }

    private static Retry retry(StrictObject retry) {
        return new Retry(
                retry.longInteger("num_attempts"),
                retry.objects("hosts", host -> new Retry.FailedNode(host.requiredText("host"), host.text("nodename"))));
    }
}
