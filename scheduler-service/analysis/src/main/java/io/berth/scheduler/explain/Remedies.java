package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placementsync.RatioSources;
import io.berth.scheduler.placementsync.DesiredTraits;
import io.berth.scheduler.planning.MovesAway;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Proposes changes that might remove an obstacle. Whether one does is known only after a trial.
 *
 * @param registry the registry with the changes made so far
 * @param ratios finds who sets an inventory's ratios and amounts
 * @param host the host with its obstacles
 * @param request the request spec
 * @param tenants the instances on the host
 */
record Remedies(
        RegistrySnapshot registry, RatioSources ratios, Evaluation.Host host, JsonNode request, Tenants tenants) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String DISABLED = "COMPUTE_STATUS_DISABLED";
    /**
     * The member of a change that replaces {@code call} and names the party that sets the value. A call would be
     * overwritten by this party, or refused.
     */
    private static final String SET_BY = "set_by";
    /** The maximum digits after the decimal point of a proposed allocation ratio. */
    private static final int RATIO_DIGITS = 4;
    private static final long MIB_PER_GIB = 1024;
    private static final long KIB_PER_MIB = 1024;
    /** Members that a request may omit. */
    private static final List<String> OPTIONAL = List.of(
            "/availability_zone", "/requested_destination", "/ignore_hosts", "/force_hosts", "/force_nodes", "/retry",
            "/instance_group", "/numa_topology", "/pci_requests", "/request_level_params");
    /** The maximum alternatives that {@link #less} returns. */
    private static final int LESS_MAX = 30;
    /** Members that request dedicated CPUs, or only make sense with them. */
    private static final List<String> PINNING = List.of(
            "/flavor/extra_specs/hw:cpu_policy", "/flavor/extra_specs/hw:cpu_thread_policy",
            "/flavor/extra_specs/hw:cpu_dedicated_mask", "/flavor/extra_specs/hw:emulator_threads_policy",
            "/flavor/extra_specs/hw:cpu_realtime", "/flavor/extra_specs/hw:cpu_realtime_mask",
            "/image/properties/hw_cpu_policy", "/image/properties/hw_cpu_thread_policy",
            "/image/properties/hw_emulator_threads_policy", "/image/properties/hw_cpu_realtime_mask");
    /** The highest usual allocation ratios, by resource class; 1 for every other class. */
    private static final Map<String, Double> USUAL_RATIO = Map.of("VCPU", 16.0, "MEMORY_MB", 1.5);
    /** Members that request an architecture, a hypervisor or a virtualization mode. */
    private static final List<String> GUEST_KIND = List.of(
            "/image/properties/hw_architecture", "/image/properties/architecture", "/image/properties/img_hv_type",
            "/image/properties/hypervisor_type", "/image/properties/hw_vm_mode", "/image/properties/vm_mode");
    /** JSON pointers to members of a request, by the code of the obstacle that they may cause. */
    private static final Map<String, List<String>> DROPPED = Map.ofEntries(
            Map.entry("zone", List.of("/availability_zone")),
            Map.entry("query", List.of("/scheduler_hints/query")),
            Map.entry("instance_here", List.of("/scheduler_hints/different_host")),
            Map.entry("instances_not_here", List.of("/scheduler_hints/same_host")),
            Map.entry("network", List.of("/scheduler_hints/build_near_host_ip")),
            Map.entry("group_here", List.of("/instance_group", "/scheduler_hints/group")),
            Map.entry("group_elsewhere", List.of("/instance_group", "/scheduler_hints/group")),
            Map.entry("tried", List.of("/retry")),
            Map.entry("not_in_tree", List.of("/requested_destination", "/force_hosts", "/force_nodes")),
            Map.entry("destination", List.of("/requested_destination")),
            Map.entry("ignored", List.of("/ignore_hosts")),
            Map.entry("host_not_forced", List.of("/force_hosts")),
            Map.entry("node_not_forced", List.of("/force_nodes")),
            Map.entry("trust", List.of("/flavor/extra_specs/trust:trusted_host")),
            Map.entry("guest_kind", GUEST_KIND),
            Map.entry("nothing_supported", GUEST_KIND),
            Map.entry("hypervisor_version", List.of(
                    "/image/properties/img_hv_requested_version", "/image/properties/hypervisor_version_requires")),
            Map.entry("address_bits", List.of("/image/properties/hw_maxphysaddr_bits")));

    /**
     * Returns alternatives, any of which may remove the obstacle. The changes of an alternative are made together.
     * Alternatives that change the cloud come before those that change the request.
     *
     * @param obstacle an element of {@link Evaluation.Host#obstacles}
     */
    List<List<Remedy>> of(ObjectNode obstacle) {
        List<List<Remedy>> found = new ArrayList<>();
        String code = obstacle.path("code").asText();
        String by = obstacle.path("by").asText();
        switch (code) {
            case "capacity", "max_unit", "min_unit", "step_size" -> amount(obstacle, by, code, found);
            case "no_inventory" -> {
                dropPinning(by, found);
                dropGroup(by, found);
                drop(extraSpec("resources", by, resourceClass(by)), found);
            }
            case "no_sharing_provider" -> {
                texts(obstacle, "wanted").stream().limit(2).forEach(uuid -> aggregate(obstacle, uuid, true, found));
                dropGroup(by, found);
                drop(extraSpec("resources", by, resourceClass(by)), found);
            }
            case "isolated_groups_collide" -> {
                replace("/flavor/extra_specs/group_policy", "none", found);
                texts(obstacle, "with").reversed().stream().limit(1).forEach(demand -> dropGroup(demand, found));
            }
            case "same_subtree" -> drop("/request_level_params", found);
            case "vcpus", "vcpus_total" -> filterAmount(obstacle, "VCPU", 1, code, found);
            case "ram", "ram_total" -> filterAmount(obstacle, "MEMORY_MB", 1, code, found);
            case "disk", "disk_total" -> filterAmount(obstacle, "DISK_GB", MIB_PER_GIB, code, found);
            case "trait_missing" -> texts(obstacle, "wanted").stream().limit(1)
                    .forEach(trait -> trait(obstacle, trait, true, found));
            case "trait_forbidden" -> texts(obstacle, "had").forEach(trait -> trait(obstacle, trait, false, found));
            case "root_required" -> {
                texts(obstacle, "wanted").forEach(
                        trait -> trait(obstacle, trait.replace("!", ""), !trait.startsWith("!"), found));
                drop("/request_level_params", found);
            }
            case "not_in_aggregate" -> {
                texts(obstacle, "wanted").stream().limit(2).forEach(uuid -> aggregate(obstacle, uuid, true, found));
                drop("/availability_zone", found);
                drop("/requested_destination", found);
            }
            case "in_forbidden_aggregate" -> texts(obstacle, "wanted").forEach(
                    uuid -> aggregate(obstacle, uuid.replace("!", ""), false, found));
            case "service_disabled" -> enable(found);
            case "service_forced_down", "service_down" -> bringUp(found);
            case "project" -> allow("filter_tenant_id", texts(obstacle, "wanted"), found);
            case "flavor" -> allow("instance_type", texts(obstacle, "wanted"), found);
            case "image_property" -> {
                allow(obstacle.path("name").asText(), texts(obstacle, "wanted"), found);
                drop("/image/properties/" + obstacle.path("name").asText(), found);
            }
            case "extra_spec", "extra_spec_missing", "capability", "capability_missing" ->
                extraSpec(obstacle.path("name").asText(), found);
            case "instances" -> {
                limit("max_instances_per_host", obstacle, found);
                found.addAll(moveAway(tenants.some(host, 1 + number(obstacle, "had") - number(obstacle, "wanted"))));
            }
            case "io_ops" -> limit("max_io_ops_per_host", obstacle, found);
            case "numa_cpus", "numa_cores", "numa_cpu_limit" ->
                setAmount("/flavor/vcpus", guestCells() * number(obstacle, "had"), found);
            case "numa_memory", "numa_ram_limit" ->
                setAmount("/flavor/memory_mb", guestCells() * number(obstacle, "had"), found);
            case "numa_pages" ->
                setAmount("/flavor/memory_mb", guestCells() * number(obstacle, "had") / KIB_PER_MIB, found);
            case "numa_page_multiple" -> {
                long page = Math.max(1, number(obstacle, "had"));
                setAmount("/flavor/memory_mb", guestCells() * (number(obstacle, "wanted") / page * page) / KIB_PER_MIB,
                        found);
            }
            default -> {
                // No change of the cloud is known for such an obstacle.
            }
        }
        DROPPED.getOrDefault(code, List.of()).forEach(pointer -> drop(pointer, found));
        if (code.startsWith("numa_") || code.equals("no_topology") || code.equals("no_threads")) {
            dropNuma(found);
        }
        if (code.startsWith("devices") || code.equals("no_pci_data") || code.equals("numa_pci")) {
            drop("/pci_requests", found);
            drop("/flavor/extra_specs/pci_passthrough:alias", found);
        }
        return found;
    }

    /**
     * Returns alternatives that each remove one optional member of the request, in no particular order. They are useful
     * because another member than the one that an obstacle names may have caused it.
     */
    List<List<Remedy>> less() {
        List<List<Remedy>> found = new ArrayList<>();
        for (String parent : List.of("/flavor/extra_specs", "/scheduler_hints", "/image/properties")) {
            request.at(parent).fieldNames().forEachRemaining(name -> drop(parent + "/" + name, found));
        }
        OPTIONAL.forEach(pointer -> drop(pointer, found));
        return found.subList(0, Math.min(LESS_MAX, found.size()));
    }

    private static long number(JsonNode obstacle, String member) {
        return obstacle.path(member).asLong();
    }

    /** Returns the resource class of a demand such as {@code resources_net=SRIOV_NET_VF:1}. */
    private static String resourceClass(String demand) {
        return demand.substring(demand.indexOf('=') + 1).split(":")[0];
    }

    /**
     * Returns the JSON pointer of the extra spec that states a demand. The suffix of the demand's request group is that
     * of the extra spec's prefix.
     *
     * @param kind {@code resources} or {@code trait}
     * @param name resource class or trait
     */
    private static String extraSpec(String kind, String demand, String name) {
        return "/flavor/extra_specs/" + kind + suffix(demand) + ":" + name;
    }

    private static List<String> texts(JsonNode obstacle, String member) {
        List<String> texts = new ArrayList<>();
        obstacle.path(member).forEach(each -> texts.add(each.asText()));
        return texts;
    }

    // The methods below change the cloud in placement.

    /**
     * Adds changes for an amount that placement lacks: of the inventory, of the instances on the host, and of the
     * request.
     */
    private void amount(ObjectNode obstacle, String by, String code, List<List<Remedy>> found) {
        String resourceClass = resourceClass(by);
        String uuid = obstacle.path("provider").asText();
        JsonNode provider = host.provider(uuid);
        JsonNode inventory = provider == null ? null : provider.path("inventories").get(resourceClass);
        long wanted = obstacle.path("wanted").asLong();
        if (inventory != null) {
            long total = inventory.path("total").asLong();
            long reserved = inventory.path("reserved").asLong();
            double ratio = inventory.path("allocation_ratio").asDouble();
            long needed = inventory.path("used").asLong() + wanted;
            String sizeWarning = wanted > total
                    ? "one instance would have %d %s of a machine with %d".formatted(wanted, resourceClass, total)
                    : null;
            switch (code) {
                case "capacity" -> {
                    long lowered = total - (long) Math.ceil(needed / ratio);
                    // Placement multiplies in floating point, so the rounded amount may lack one unit.
                    if ((total - lowered) * ratio < needed) {
                        lowered--;
                    }
                    if (reserved > 0 && lowered >= 0 && lowered < reserved) {
                        found.add(List.of(inventory(
                                provider, resourceClass, inventory, "reserved", JSON.numberNode(lowered),
                                sizeWarning)));
                    }
                    if (total > reserved) {
                        double raised = ratio(total - reserved, needed);
                        double usual = USUAL_RATIO.getOrDefault(resourceClass, 1.0);
                        found.add(List.of(inventory(
                                provider, resourceClass, inventory, "allocation_ratio", JSON.numberNode(raised),
                                sizeWarning != null || raised <= usual || raised <= ratio
                                        ? sizeWarning
                                        : "a ratio of %s is usual at most".formatted(usual))));
                    }
                    found.addAll(moveAway(
                            tenants.freeing(host, uuid, resourceClass, wanted - number(obstacle, "had"))));
                }
                case "step_size" -> found.add(List.of(
                        inventory(provider, resourceClass, inventory, "step_size", JSON.numberNode(1), null)));
                case "max_unit" -> found.add(List.of(
                        inventory(provider, resourceClass, inventory, code, JSON.numberNode(wanted), sizeWarning)));
                default -> found.add(List.of(
                        inventory(provider, resourceClass, inventory, code, JSON.numberNode(wanted), null)));
            }
            setRequested(by, resourceClass, possibleAmount(inventory, number(obstacle, "had"), wanted, code), found);
        } else {
            setRequested(by, resourceClass, number(obstacle, "had"), found);
        }
        dropPinning(by, found);
        dropGroup(by, found);
        drop(extraSpec("resources", by, resourceClass), found);
    }

    /**
     * Returns the largest amount that the inventory could provide instead, or for {@code min_unit} the smallest; 0 if
     * there is none.
     *
     * @param had the amount that the obstacle says the inventory has
     * @param code {@code capacity}, {@code max_unit}, {@code min_unit} or {@code step_size}
     */
    private static long possibleAmount(JsonNode inventory, long had, long wanted, String code) {
        long step = Math.max(1, inventory.path("step_size").asLong());
        long least = inventory.path("min_unit").asLong();
        if (code.equals("min_unit")) {
            return Math.ceilDiv(least, step) * step;
        }
        long most = code.equals("step_size") ? wanted : Math.min(had, wanted);
        most = Math.min(most, inventory.path("max_unit").asLong()) / step * step;
        return most < least ? 0 : most;
    }

    /**
     * Returns the lowest allocation ratio of {@value #RATIO_DIGITS} decimals with which an amount suffices. Multiplies
     * as placement does, in floating point: 100 times 1.15 is less than 115.
     */
    static double ratio(long amount, long needed) {
        BigDecimal ratio = BigDecimal.valueOf((double) needed / amount).setScale(RATIO_DIGITS, RoundingMode.UP);
        while (amount * ratio.doubleValue() < needed) {
            ratio = ratio.add(BigDecimal.ONE.movePointLeft(RATIO_DIGITS));
        }
        return ratio.doubleValue();
    }

    /**
     * Adds changes for an amount that a filter lacks.
     *
     * @param unitsPerPlacementUnit the number of the filter's units in one unit of placement, such as MiB in a GiB
     */
    private void filterAmount(
            ObjectNode obstacle, String resourceClass, long unitsPerPlacementUnit, String code,
            List<List<Remedy>> found) {
        long lacking = Math.ceilDiv(number(obstacle, "wanted") - number(obstacle, "had"), unitsPerPlacementUnit);
        if (!code.endsWith("_total") && lacking > 0) {
            found.addAll(moveAway(tenants.freeing(host, host.target().provider().toString(), resourceClass, lacking)));
        }
        setRequested(
                "resources=" + resourceClass, resourceClass, number(obstacle, "had") / unitsPerPlacementUnit, found);
    }

    /** Returns one alternative, which moves all these instances away; no alternative if there are no instances. */
    private static List<List<Remedy>> moveAway(List<MovesAway.DepartingInstance> leaving) {
        return leaving.isEmpty() ? List.of() : List.of(leaving.stream().map(Remedies::moveAway).toList());
    }

    private static Remedy moveAway(MovesAway.DepartingInstance away) {
        ObjectNode json = json("free").put("instance", away.instance().toString());
        ObjectNode frees = json.putObject("frees");
        away.held().forEach((provider, amounts) -> amounts.forEach(frees.putObject(provider)::put));
        if (away.call() == null) {
            json.put(SET_BY, "nova");
            json.put("warning",
                    "it runs there, and its request is unknown: it was not tried whether another host has room");
        } else {
            json.put("to", away.to());
            json.put("warning",
                    "it runs there, and goes to %s: its place is free when the move is confirmed".formatted(away.to()));
            json.set("call", away.call());
        }
        return new Remedy("leave" + away.instance(), false, json,
                (cloud, asked) -> cloud.move(away.instance(), away.held(), away.taken()));
    }

    /**
     * Creates a change of one member of an inventory.
     *
     * @param beyond warns that the value is unusual or exceeds the machine; null if it does not
     */
    private Remedy inventory(
            JsonNode provider, String resourceClass, JsonNode inventory, String member, JsonNode value,
            @Nullable String beyond) {
        String uuid = provider.path("uuid").asText();
        ObjectNode body = JSON.objectNode();
        body.set("resource_provider_generation", provider.path("generation"));
        for (String each : List.of("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio")) {
            body.set(each, inventory.path(each));
        }
        body.set(member, value);
        ObjectNode json = named(json(member), provider).put("resource_class", resourceClass);
        json.set("from", inventory.path(member));
        json.set("to", value);
        if (beyond != null) {
            json.put(Remedy.BEYOND, beyond);
        }
        RatioSources.Source source = ratios.of(node(uuid), resourceClass, member);
        if (source == RatioSources.Source.PLACEMENT) {
            call(json, "placement", "PUT", "/resource_providers/" + uuid + "/inventories/" + resourceClass, body);
        } else {
            json.put(SET_BY, source.wireName());
        }
        ObjectNode change = JSON.objectNode();
        change.putObject("inventory").put("provider", uuid).put("resource_class", resourceClass).set(member, value);
        return new Remedy(member + uuid + resourceClass, false, json, (cloud, asked) -> cloud.fleet(change)
                .reports(UUID.fromString(uuid), change.path("inventory")));
    }

    private static ObjectNode named(ObjectNode json, JsonNode provider) {
        return json.put("provider", provider.path("uuid").asText())
                .put("provider_name", provider.path("name").asText());
    }

    /** Returns the compute node whose root provider this is; null if there is none. */
    private @Nullable ComputeNode node(String provider) {
        UUID uuid = Uuids.find(provider);
        return uuid == null ? null : registry.findComputeNode(uuid);
    }

    /**
     * Returns whether a trait stays added or removed after the next report of the node.
     *
     * @param traits the provider's traits after the change
     */
    private static boolean stays(@Nullable ComputeNode node, Set<String> traits, String trait) {
        Set<String> reported = node == null || node.provider() == null ? null : node.provider().traits();
        return DesiredTraits.of(traits, null, reported).contains(trait) == traits.contains(trait);
    }

    /**
     * Adds changes of a trait: of the service for the trait of a disabled one, otherwise of the provider; and of the
     * request.
     */
    private void trait(ObjectNode obstacle, String trait, boolean wanted, List<List<Remedy>> found) {
        if (trait.equals(DISABLED) && !wanted && enable(found)) {
            return;
        }
        String named = obstacle.path("provider").asText(host.target().provider().toString());
        JsonNode provider = host.provider(named);
        if (provider != null) {
            Set<String> traits = new TreeSet<>();
            provider.path("traits").forEach(each -> traits.add(each.asText()));
            boolean changes = wanted ? traits.add(trait) : traits.remove(trait);
            ObjectNode body = JSON.objectNode();
            body.set("resource_provider_generation", provider.path("generation"));
            traits.forEach(body.putArray("traits")::add);
            ObjectNode json = named(json(wanted ? "add_trait" : "remove_trait"), provider).put("trait", trait);
            if (stays(node(named), traits, trait)) {
                call(json, "placement", "PUT", "/resource_providers/" + named + "/traits", body);
            } else {
                json.put(SET_BY, RatioSources.Source.COMPUTE_NODE.wireName());
            }
            ObjectNode change = JSON.objectNode();
            change.putObject("traits").put("provider", named).putArray(wanted ? "add" : "remove").add(trait);
            if (changes) {
                found.add(List.of(new Remedy(
                        "trait" + named + trait, false, json, (cloud, asked) -> cloud.fleet(change))));
            }
        }
        drop(extraSpec("trait", obstacle.path("by").asText(), trait), found);
        drop("/image/properties/trait:" + trait, found);
    }

    /**
     * Adds a change that makes the host join or leave an aggregate: in the registry if the aggregate is registered
     * there, because the placement sync then updates placement; otherwise in placement.
     */
    private void aggregate(ObjectNode obstacle, String uuid, boolean joins, List<List<Remedy>> found) {
        UUID read = Uuids.find(uuid);
        RegisteredAggregate registered = read == null ? null : registry.findAggregate(read);
        String own = host.target().provider().toString();
        String named = obstacle.path("provider").asText(own);
        // A sharing provider is in other aggregates than the host's tree.
        String root = host.isOfTree(named) ? own : named;
        if (registered != null && root.equals(own)) {
            Set<String> hosts = new HashSet<>(registered.hosts());
            if (joins ? hosts.add(host.target().host()) : hosts.remove(host.target().host())) {
                found.add(List.of(registered(
                        joins ? "join_aggregate" : "leave_aggregate", registered, registered.metadata(), hosts)));
            }
            return;
        }
        JsonNode provider = host.provider(root);
        if (provider == null) {
            return;
        }
        Set<String> aggregates = new TreeSet<>();
        provider.path("aggregates").forEach(each -> aggregates.add(each.asText()));
        if (joins ? aggregates.add(uuid) : aggregates.remove(uuid)) {
            ObjectNode body = JSON.objectNode();
            body.set("resource_provider_generation", provider.path("generation"));
            aggregates.forEach(body.putArray("aggregates")::add);
            ObjectNode json =
                    named(json(joins ? "join_aggregate" : "leave_aggregate"), provider).put("aggregate", uuid);
            if (registered != null) {
                json.put("name", registered.facts().name());
            }
            call(json, "placement", "PUT", "/resource_providers/" + root + "/aggregates", body);
            ObjectNode change = JSON.objectNode();
            change.putObject("aggregates").put("provider", root).putArray(joins ? "add" : "remove").add(uuid);
            found.add(List.of(
                    new Remedy("aggregate" + root + uuid, false, json, (cloud, asked) -> cloud.fleet(change))));
        }
    }

    // The methods below change the cloud in the registry.

    /**
     * Adds a call to the scheduler's registry. If nova's databases are the registry, the scheduler refuses changes, so
     * names nova instead.
     */
    private void registryCall(ObjectNode json, String method, String path, @Nullable ObjectNode body) {
        if (registry.listsAllHosts()) {
            json.put(SET_BY, "nova");
        } else {
            call(json, "scheduler", method, path, body);
        }
    }

    /** Adds the change that enables the host's service; returns false if the service is enabled or unknown. */
    private boolean enable(List<List<Remedy>> found) {
        ComputeService service = registry.findService(host.target().host());
        if (service == null || !service.disabled()) {
            return false;
        }
        ObjectNode json = json("enable_service").put("host", service.host());
        registryCall(json, "PUT", "/v1/services/" + service.uuid(), JSON.objectNode()
                .put("host", service.host()).put("disabled", false).put("forced_down", service.forcedDown()));
        found.add(List.of(new Remedy(
                "service" + service.host(), false, json,
                (cloud, asked) -> cloud.disable(service.host(), false, null))));
        return true;
    }

    /** Adds the change that brings the host's service up. */
    private void bringUp(List<List<Remedy>> found) {
        ComputeService service = registry.findService(host.target().host());
        if (service == null) {
            return;
        }
        boolean forced = service.forcedDown();
        ObjectNode json = json(forced ? "release_service" : "start_service").put("host", service.host());
        if (forced) {
            registryCall(json, "PUT", "/v1/services/" + service.uuid(), JSON.objectNode()
                    .put("host", service.host()).put("disabled", service.disabled())
                    .put("disabled_reason", service.disabledReason()).put("forced_down", false));
        } else {
            registryCall(json, "POST", "/v1/services/" + service.uuid() + "/heartbeat", null);
        }
        // The call of a forced-down service writes the whole service, as that of enable() does; with the same key, the
        // later change replaces the earlier one.
        String key = forced ? "service" : "heartbeat";
        found.add(List.of(new Remedy(key + service.host(), false, json, (cloud, asked) -> {
            ComputeService served = cloud.registry().findService(service.host());
            cloud.put(Collection.SERVICES, served.up(forced ? service.lastHeartbeat() : registry.asOf()));
            if (forced && served.disabled() && !service.disabled()) {
                cloud.disable(service.host(), false, null);
            }
        })));
    }

    /**
     * Adds changes that extend the metadata with which registered aggregates restrict the host to certain values.
     *
     * @param key key of the metadata
     * @param values the values to add
     */
    private void allow(String key, List<String> values, List<List<Remedy>> found) {
        for (RegisteredAggregate aggregate : registry.listAggregates()) {
            if (!aggregate.hosts().contains(host.target().host()) || values.isEmpty()) {
                continue;
            }
            Map<String, String> metadata = new HashMap<>(aggregate.metadata());
            String stated = metadata.get(key);
            if (stated != null) {
                metadata.put(key, stated + "," + String.join(",", values));
                found.add(List.of(registered("aggregate_metadata", aggregate, metadata, aggregate.hosts())));
            }
        }
    }

    /**
     * Adds changes that raise a limit in the metadata of each registered aggregate of the host that states the limit.
     */
    private void limit(String key, ObjectNode obstacle, List<List<Remedy>> found) {
        for (RegisteredAggregate aggregate : registry.listAggregates()) {
            if (aggregate.hosts().contains(host.target().host()) && aggregate.metadata().containsKey(key)) {
                Map<String, String> metadata = new HashMap<>(aggregate.metadata());
                metadata.put(key, Long.toString(obstacle.path("had").asLong() + 1));
                found.add(List.of(registered("aggregate_metadata", aggregate, metadata, aggregate.hosts())));
            }
        }
    }

    /** Creates a change of a registered aggregate. */
    private Remedy registered(
            String kind, RegisteredAggregate aggregate, Map<String, String> metadata, Set<String> hosts) {
        HostAggregate facts = aggregate.facts();
        ObjectNode body = JSON.objectNode();
        if (facts.id() != null) {
            body.put("id", facts.id());
        }
        body.put("name", facts.name());
        ObjectNode stated = body.putObject("metadata");
        metadata.forEach(stated::put);
        new TreeSet<>(hosts).forEach(body.putArray("hosts")::add);
        ObjectNode json = json(kind).put("aggregate", aggregate.uuid().toString()).put("name", facts.name());
        registryCall(json, "PUT", "/v1/host_aggregates/" + aggregate.uuid(), body);
        return new Remedy("registered" + aggregate.uuid(), false, json,
                (cloud, asked) -> cloud.aggregate(cloud.registry().findAggregate(aggregate.uuid()), metadata, hosts));
    }

    // The methods below change the request.

    /** Adds changes that remove an extra spec, in each of its spellings. */
    private void extraSpec(String name, List<List<Remedy>> found) {
        for (String key : List.of(name, "aggregate_instance_extra_specs:" + name,
                name.equals("capabilities:cpu_info:maxphysaddr:bits") ? "hw:maxphysaddr_bits" : name)) {
            drop("/flavor/extra_specs/" + key, found);
        }
    }

    /** Adds a change that removes all members of the request which may demand a NUMA topology. */
    private void dropNuma(List<List<Remedy>> found) {
        List<String> pointers = new ArrayList<>();
        if (request.hasNonNull("numa_topology")) {
            pointers.add("/numa_topology");
        }
        for (String parent : List.of("/flavor/extra_specs", "/image/properties")) {
            request.at(parent).fieldNames().forEachRemaining(name -> {
                if (name.startsWith("hw:") || name.equals("resources:PCPU") || name.startsWith("hw_numa")
                        || name.startsWith("hw_cpu") || name.startsWith("hw_mem")) {
                    pointers.add(parent + "/" + name);
                }
            });
        }
        if (!pointers.isEmpty()) {
            found.add(List.of(dropped(pointers)));
        }
    }

    /**
     * Adds a change of the requested amount of a resource class, if the request states the amount at one place.
     *
     * @param by the demand
     * @param amount the new amount; if 0, adds nothing
     */
    private void setRequested(String by, String resourceClass, long amount, List<List<Remedy>> found) {
        String pointer = extraSpec("resources", by, resourceClass);
        if (at(request, pointer) == null && suffix(by).isEmpty()) {
            pointer = switch (resourceClass) {
                case "VCPU", "PCPU" -> "/flavor/vcpus";
                case "MEMORY_MB" -> "/flavor/memory_mb";
                case "DISK_GB" -> request.path("flavor").path("ephemeral_gb").asLong() == 0
                        && request.path("flavor").path("swap").asLong() == 0 ? "/flavor/root_gb" : "/flavor";
                default -> "/flavor";
            };
        }
        setAmount(pointer, amount, found);
    }

    /** Replaces an amount of the request by another one, unless that is less than 1 or what is requested already. */
    private void setAmount(String pointer, long amount, List<List<Remedy>> found) {
        JsonNode from = at(request, pointer);
        if (from != null && !from.isObject() && amount >= 1 && !from.asText().equals(Long.toString(amount))) {
            ObjectNode json = json("request").put("path", pointer);
            JsonNode to = from.isTextual() ? JSON.textNode(Long.toString(amount)) : JSON.numberNode(amount);
            json.set("from", from);
            json.set("to", to);
            found.add(List.of(replaced(json, pointer, to)));
        }
    }

    /** Returns over how many NUMA cells the guest is spread evenly; the request may also spread it by other members. */
    private long guestCells() {
        for (String pointer : List.of("/flavor/extra_specs/hw:numa_nodes", "/image/properties/hw_numa_nodes")) {
            JsonNode cells = at(request, pointer);
            if (cells != null) {
                return Math.max(1, cells.asInt(1));
            }
        }
        return 1;
    }

    /** Returns the suffix of a demand's request group; empty for the unnumbered group. */
    private static String suffix(String demand) {
        int end = demand.indexOf('=');
        return end < 0 ? "" : demand.substring(0, end).replaceFirst("^(resources|required)", "");
    }

    /** Adds a change that removes a whole request group, if the flavor states the group. */
    private void dropGroup(String by, List<List<Remedy>> found) {
        String suffix = suffix(by);
        List<String> pointers = new ArrayList<>();
        request.at("/flavor/extra_specs").fieldNames().forEachRemaining(name -> {
            if (!suffix.isEmpty()
                    && (name.startsWith("resources" + suffix + ":") || name.startsWith("trait" + suffix + ":"))) {
                pointers.add("/flavor/extra_specs/" + name);
            }
        });
        if (!pointers.isEmpty()) {
            found.add(List.of(dropped(pointers)));
        }
    }

    /** Adds a change that removes the demand for dedicated CPUs, and the members that are invalid without it. */
    private void dropPinning(String by, List<List<Remedy>> found) {
        if (!resourceClass(by).equals("PCPU")) {
            return;
        }
        List<String> pointers = PINNING.stream().filter(pointer -> at(request, pointer) != null).toList();
        if (!pointers.isEmpty()) {
            found.add(List.of(dropped(pointers)));
        }
    }

    /** Adds a change that replaces the value at a pointer, if there is one. */
    private void replace(String pointer, String value, List<List<Remedy>> found) {
        JsonNode from = at(request, pointer);
        if (from != null) {
            ObjectNode json = json("request").put("path", pointer);
            json.set("from", from);
            json.put("to", value);
            found.add(List.of(replaced(json, pointer, JSON.textNode(value))));
        }
    }

    private static Remedy replaced(ObjectNode json, String pointer, JsonNode value) {
        patch(json, "replace", List.of(pointer), value);
        return new Remedy("request" + pointer, true, json,
                (cloud, asked) -> ((ObjectNode) parent(asked, pointer)).set(name(pointer), value));
    }

    /** Adds a change that removes the member at a pointer, if there is one. */
    private void drop(String pointer, List<List<Remedy>> found) {
        JsonNode stated = at(request, pointer);
        if (stated != null && !stated.isNull()) {
            found.add(List.of(dropped(List.of(pointer))));
        }
    }

    private static Remedy dropped(List<String> pointers) {
        ObjectNode json = json("request");
        pointers.forEach(json.putArray("without")::add);
        patch(json, "remove", pointers, null);
        return new Remedy("request" + pointers, true, json, (cloud, asked) -> pointers.forEach(pointer -> {
            if (parent(asked, pointer) instanceof ObjectNode parent) {
                parent.remove(name(pointer));
            }
        }));
    }

    /** Returns the value at a pointer; null if there is none. Names contain no slash, and tildes are not escaped. */
    private static @Nullable JsonNode at(JsonNode request, String pointer) {
        return parent(request, pointer).get(name(pointer));
    }

    /** Returns the parent of the value at a pointer; a missing node if there is none. */
    private static JsonNode parent(JsonNode request, String pointer) {
        JsonNode parent = request;
        String[] parts = pointer.split("/");
        for (int i = 1; i < parts.length - 1; i++) {
            parent = parent.path(parts[i]);
        }
        return parent;
    }

    private static String name(String pointer) {
        return pointer.substring(pointer.lastIndexOf('/') + 1);
    }

    private static ObjectNode json(String kind) {
        return JSON.objectNode().put("change", kind);
    }

    private static void call(ObjectNode json, String service, String method, String path, @Nullable ObjectNode body) {
        ObjectNode call = json.putObject("call").put("service", service).put("method", method).put("path", path);
        if (body != null) {
            call.set("body", body);
        }
    }

    /** Adds the call that repeats the request, with a JSON patch of the body. */
    private static void patch(ObjectNode json, String op, List<String> pointers, @Nullable JsonNode value) {
        call(json, "scheduler", "POST", "/v1/select_destinations", null);
        ArrayNode patch = ((ObjectNode) json.get("call")).putArray("patch");
        for (String pointer : pointers) {
            ObjectNode step = patch.addObject().put("op", op).put("path", "/request_spec" + pointer);
            if (value != null) {
                step.set("value", value);
            }
        }
    }
}
