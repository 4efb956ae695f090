package io.berth.scheduler.whynot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.fleet.RatioSources;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.mirror.WantedTraits;
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
 * What might take an obstacle away: guesses, each of which has still to be tried.
 *
 * @param registry with what was changed so far
 */
record Changes(
        RegistrySnapshot registry, RatioSources ratios, Evaluation.Host host, JsonNode request, Tenants tenants) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String DISABLED = "COMPUTE_STATUS_DISABLED";
    /** In the place of a call: who would take back what is written elsewhere, or alone may change it. */
    private static final String SET_BY = "set_by";
    private static final int RATIO_DIGITS = 4;
    private static final long MIB_PER_GIB = 1024;
    private static final List<String> GUEST_KIND = List.of(
            "/image/properties/hw_architecture", "/image/properties/architecture", "/image/properties/img_hv_type",
            "/image/properties/hypervisor_type", "/image/properties/hw_vm_mode", "/image/properties/vm_mode");
    /** Members of a request by what they bring about. */
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

    /** One of them may do, each with all of its changes. Changes of the cloud come before those of the request. */
    List<List<Change>> of(ObjectNode obstacle) {
        List<List<Change>> found = new ArrayList<>();
        String code = obstacle.path("code").asText();
        String by = obstacle.path("by").asText();
        switch (code) {
            case "capacity", "max_unit", "min_unit", "step_size" -> amount(obstacle, by, code, found);
            case "no_inventory" -> drop(extraSpec("resources", by, resourceClass(by)), found);
            case "no_sharing_provider" ->
                texts(obstacle, "wanted").stream().limit(2).forEach(uuid -> aggregate(uuid, true, found));
            case "isolated_groups_collide" -> {
                replace("/flavor/extra_specs/group_policy", "none", found);
                texts(obstacle, "with").reversed().stream().limit(1)
                        .forEach(demand -> drop(extraSpec("resources", demand, resourceClass(demand)), found));
            }
            case "same_subtree" -> drop("/request_level_params", found);
            case "vcpus", "vcpus_total" -> filtered(obstacle, "VCPU", 1, code, found);
            case "ram", "ram_total" -> filtered(obstacle, "MEMORY_MB", 1, code, found);
            case "disk", "disk_total" -> filtered(obstacle, "DISK_GB", MIB_PER_GIB, code, found);
            case "trait_missing" -> texts(obstacle, "wanted").stream().limit(1)
                    .forEach(trait -> trait(obstacle, trait, true, found));
            case "trait_forbidden" -> texts(obstacle, "had").forEach(trait -> trait(obstacle, trait, false, found));
            case "root_required" -> {
                texts(obstacle, "wanted").forEach(
                        trait -> trait(obstacle, trait.replace("!", ""), !trait.startsWith("!"), found));
                drop("/request_level_params", found);
            }
            case "not_in_aggregate" -> {
                texts(obstacle, "wanted").stream().limit(2).forEach(uuid -> aggregate(uuid, true, found));
                drop("/availability_zone", found);
                drop("/requested_destination", found);
            }
            case "in_forbidden_aggregate" -> texts(obstacle, "wanted").forEach(
                    uuid -> aggregate(uuid.replace("!", ""), false, found));
            case "service_disabled" -> enable(found);
            case "service_forced_down", "service_down" -> raise(found);
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
                leave(tenants.some(host, 1 + number(obstacle, "had") - number(obstacle, "wanted")), found);
            }
            case "io_ops" -> limit("max_io_ops_per_host", obstacle, found);
            default -> {
                // Only the request's members below.
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

    private static long number(JsonNode obstacle, String member) {
        return obstacle.path(member).asLong();
    }

    /** Of a demand, as {@code resources_net=SRIOV_NET_VF:1}. */
    private static String resourceClass(String demand) {
        return demand.substring(demand.indexOf('=') + 1).split(":")[0];
    }

    /** Where a flavor states that demand, whose group has the suffix that the extra spec has. */
    private static String extraSpec(String kind, String demand, String name) {
        int end = demand.indexOf('=');
        String suffix = end < 0 ? "" : demand.substring(0, end).replaceFirst("^(resources|required)", "");
        return "/flavor/extra_specs/" + kind + suffix + ":" + name;
    }

    private static List<String> texts(JsonNode obstacle, String member) {
        List<String> texts = new ArrayList<>();
        obstacle.path(member).forEach(each -> texts.add(each.asText()));
        return texts;
    }

    // The cloud: placement.

    private void amount(ObjectNode obstacle, String by, String code, List<List<Change>> found) {
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
            switch (code) {
                case "capacity" -> {
                    long less = total - (long) Math.ceil(needed / ratio);
                    if ((total - less) * ratio < needed) {
                        less--;
                    }
                    if (reserved > 0 && less >= 0 && less < reserved) {
                        found.add(List.of(inventory(
                                provider, resourceClass, inventory, "reserved", JSON.numberNode(less))));
                    }
                    if (total > reserved) {
                        found.add(List.of(inventory(
                                provider, resourceClass, inventory, "allocation_ratio",
                                JSON.numberNode(ratio(total - reserved, needed)))));
                    }
                    leave(tenants.freeing(host, uuid, resourceClass, wanted - number(obstacle, "had")), found);
                }
                case "step_size" -> found.add(List.of(
                        inventory(provider, resourceClass, inventory, "step_size", JSON.numberNode(1))));
                default -> found.add(List.of(
                        inventory(provider, resourceClass, inventory, code, JSON.numberNode(wanted))));
            }
        }
        less(resourceClass, number(obstacle, "had"), code, found);
        drop(extraSpec("resources", by, resourceClass), found);
    }

    /** The least of few digits with which so much is enough, as placement multiplies: 100 times 1.15 is less than 115. */
    static double ratio(long amount, long needed) {
        BigDecimal ratio = BigDecimal.valueOf((double) needed / amount).setScale(RATIO_DIGITS, RoundingMode.UP);
        while (amount * ratio.doubleValue() < needed) {
            ratio = ratio.add(BigDecimal.ONE.movePointLeft(RATIO_DIGITS));
        }
        return ratio.doubleValue();
    }

    /** An amount that filters compare, in parts of placement's unit. */
    private void filtered(
            ObjectNode obstacle, String resourceClass, long parts, String code, List<List<Change>> found) {
        long lacking = Math.ceilDiv(number(obstacle, "wanted") - number(obstacle, "had"), parts);
        if (!code.endsWith("_total") && lacking > 0) {
            leave(tenants.freeing(host, host.target().provider().toString(), resourceClass, lacking), found);
        }
        less(resourceClass, number(obstacle, "had") / parts, code, found);
    }

    /** What an instance does that is deleted, or moved elsewhere: placement is told that it holds nothing. */
    private static void leave(List<Tenants.Tenant> leaving, List<List<Change>> found) {
        if (leaving.isEmpty()) {
            return;
        }
        found.add(leaving.stream().map(tenant -> {
            ObjectNode told = told("free").put("instance", tenant.uuid().toString());
            ObjectNode frees = told.putObject("frees");
            tenant.held().forEach((provider, amounts) -> amounts.forEach(frees.putObject(provider)::put));
            call(told, "placement", "DELETE", "/allocations/" + tenant.uuid(), null);
            return new Change("leave" + tenant.uuid(), false, told,
                    (cloud, asked) -> cloud.leave(tenant.uuid(), tenant.held()));
        }).toList());
    }

    private Change inventory(
            JsonNode provider, String resourceClass, JsonNode inventory, String member, JsonNode value) {
        String uuid = provider.path("uuid").asText();
        ObjectNode body = JSON.objectNode();
        body.set("resource_provider_generation", provider.path("generation"));
        for (String each : List.of("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio")) {
            body.set(each, inventory.path(each));
        }
        body.set(member, value);
        ObjectNode told = told(member)
                .put("provider", uuid)
                .put("resource_class", resourceClass);
        told.set("from", inventory.path(member));
        told.set("to", value);
        RatioSources.Source source = ratios.of(node(uuid), resourceClass, member);
        if (source == RatioSources.Source.PLACEMENT) {
            call(told, "placement", "PUT", "/resource_providers/" + uuid + "/inventories/" + resourceClass, body);
        } else {
            told.put(SET_BY, source.wireName());
        }
        ObjectNode change = JSON.objectNode();
        change.putObject("inventory").put("provider", uuid).put("resource_class", resourceClass).set(member, value);
        return new Change(member + uuid + resourceClass, false, told, (cloud, asked) -> cloud.fleet(change)
                .reports(UUID.fromString(uuid), change.path("inventory")));
    }

    /** That reports this provider; null if none does. */
    private @Nullable ComputeNode node(String provider) {
        UUID uuid = Uuids.find(provider);
        return uuid == null ? null : registry.findComputeNode(uuid);
    }

    /** Whether it stays as it is changed when the node reports next. */
    private static boolean stays(@Nullable ComputeNode node, Set<String> traits, String trait) {
        Set<String> reported = node == null || node.provider() == null ? null : node.provider().traits();
        return WantedTraits.of(traits, null, reported).contains(trait) == traits.contains(trait);
    }

    private void trait(ObjectNode obstacle, String trait, boolean wanted, List<List<Change>> found) {
        if (trait.equals(DISABLED) && !wanted) {
            enable(found);
            if (!found.isEmpty()) {
                return;
            }
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
            ObjectNode told = told(wanted ? "add_trait" : "remove_trait").put("provider", named).put("trait", trait);
            if (stays(node(named), traits, trait)) {
                call(told, "placement", "PUT", "/resource_providers/" + named + "/traits", body);
            } else {
                told.put(SET_BY, RatioSources.Source.COMPUTE_NODE.wireName());
            }
            ObjectNode change = JSON.objectNode();
            change.putObject("traits").put("provider", named).putArray(wanted ? "add" : "remove").add(trait);
            if (changes) {
                found.add(List.of(new Change(
                        "trait" + named + trait, false, told, (cloud, asked) -> cloud.fleet(change))));
            }
        }
        drop(extraSpec("trait", obstacle.path("by").asText(), trait), found);
        drop("/image/properties/trait:" + trait, found);
    }

    /** A registered aggregate is changed in the registry, from which placement is told. */
    private void aggregate(String uuid, boolean joins, List<List<Change>> found) {
        UUID read = Uuids.find(uuid);
        RegisteredAggregate registered = read == null ? null : registry.findAggregate(read);
        if (registered != null) {
            Set<String> hosts = new HashSet<>(registered.hosts());
            if (joins ? hosts.add(host.target().host()) : hosts.remove(host.target().host())) {
                found.add(List.of(registered(
                        joins ? "join_aggregate" : "leave_aggregate", registered, registered.metadata(), hosts)));
            }
            return;
        }
        String root = host.target().provider().toString();
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
            ObjectNode told = told(joins ? "join_aggregate" : "leave_aggregate")
                    .put("provider", root).put("aggregate", uuid);
            call(told, "placement", "PUT", "/resource_providers/" + root + "/aggregates", body);
            ObjectNode change = JSON.objectNode();
            change.putObject("aggregates").put("provider", root).putArray(joins ? "add" : "remove").add(uuid);
            found.add(List.of(
                    new Change("aggregate" + root + uuid, false, told, (cloud, asked) -> cloud.fleet(change))));
        }
    }

    // The cloud: the registry.

    /** Where nova keeps the hosts, the scheduler refuses to change them. */
    private void registryCall(ObjectNode told, String method, String path, @Nullable ObjectNode body) {
        if (registry.listsAllHosts()) {
            told.put(SET_BY, "nova");
        } else {
            call(told, "scheduler", method, path, body);
        }
    }

    private void enable(List<List<Change>> found) {
        ComputeService service = registry.findService(host.target().host());
        if (service == null || !service.disabled()) {
            return;
        }
        ObjectNode told = told("enable_service").put("host", service.host());
        registryCall(told, "PUT", "/v1/services/" + service.uuid(), JSON.objectNode()
                .put("host", service.host()).put("disabled", false).put("forced_down", service.forcedDown()));
        found.add(List.of(new Change(
                "service" + service.host(), false, told, (cloud, asked) -> cloud.disable(service.host(), false, null))));
    }

    private void raise(List<List<Change>> found) {
        ComputeService service = registry.findService(host.target().host());
        if (service == null) {
            return;
        }
        boolean forced = service.forcedDown();
        ObjectNode told = told(forced ? "release_service" : "start_service").put("host", service.host());
        if (forced) {
            registryCall(told, "PUT", "/v1/services/" + service.uuid(), JSON.objectNode()
                    .put("host", service.host()).put("disabled", service.disabled())
                    .put("disabled_reason", service.disabledReason()).put("forced_down", false));
        } else {
            registryCall(told, "POST", "/v1/services/" + service.uuid() + "/heartbeat", null);
        }
        // The call writes the whole service, so that it takes the place of the one that enables it.
        String key = forced ? "service" : "heartbeat";
        found.add(List.of(new Change(key + service.host(), false, told, (cloud, asked) -> {
            ComputeService served = cloud.registry().findService(service.host());
            cloud.put(Collection.SERVICES, served.up(forced ? service.lastHeartbeat() : registry.asOf()));
            if (forced && served.disabled() && !service.disabled()) {
                cloud.disable(service.host(), false, null);
            }
        })));
    }

    /** Where registered aggregates of the host keep it for some, for these, too. */
    private void allow(String key, List<String> values, List<List<Change>> found) {
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

    /** Where every aggregate that states a limit states a larger one. */
    private void limit(String key, ObjectNode obstacle, List<List<Change>> found) {
        for (RegisteredAggregate aggregate : registry.listAggregates()) {
            if (aggregate.hosts().contains(host.target().host()) && aggregate.metadata().containsKey(key)) {
                Map<String, String> metadata = new HashMap<>(aggregate.metadata());
                metadata.put(key, Long.toString(obstacle.path("had").asLong() + 1));
                found.add(List.of(registered("aggregate_metadata", aggregate, metadata, aggregate.hosts())));
            }
        }
    }

    private Change registered(
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
        ObjectNode told = told(kind).put("aggregate", aggregate.uuid().toString()).put("name", facts.name());
        registryCall(told, "PUT", "/v1/host_aggregates/" + aggregate.uuid(), body);
        return new Change("registered" + aggregate.uuid(), false, told,
                (cloud, asked) -> cloud.aggregate(cloud.registry().findAggregate(aggregate.uuid()), metadata, hosts));
    }

    // The request.

    private void extraSpec(String name, List<List<Change>> found) {
        for (String key : List.of(name, "aggregate_instance_extra_specs:" + name,
                name.equals("capabilities:cpu_info:maxphysaddr:bits") ? "hw:maxphysaddr_bits" : name)) {
            drop("/flavor/extra_specs/" + key, found);
        }
    }

    private void dropNuma(List<List<Change>> found) {
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

    private void less(String resourceClass, long had, String code, List<List<Change>> found) {
        String member = switch (resourceClass) {
            case "VCPU" -> "vcpus";
            case "MEMORY_MB" -> "memory_mb";
            case "DISK_GB" -> request.path("flavor").path("ephemeral_gb").asLong() == 0
                    && request.path("flavor").path("swap").asLong() == 0 ? "root_gb" : null;
            default -> null;
        };
        JsonNode from = member == null ? null : request.path("flavor").get(member);
        if (from == null || had < 1 || code.equals("min_unit") || code.equals("step_size")) {
            return;
        }
        ObjectNode told = told("request").put("path", "/flavor/" + member);
        told.set("from", from);
        told.put("to", had);
        found.add(List.of(replaced(told, "/flavor/" + member, JSON.numberNode(had))));
    }

    private void replace(String pointer, String value, List<List<Change>> found) {
        JsonNode from = at(request, pointer);
        if (from != null) {
            ObjectNode told = told("request").put("path", pointer);
            told.set("from", from);
            told.put("to", value);
            found.add(List.of(replaced(told, pointer, JSON.textNode(value))));
        }
    }

    private static Change replaced(ObjectNode told, String pointer, JsonNode value) {
        patch(told, "replace", List.of(pointer), value);
        return new Change("request" + pointer, true, told,
                (cloud, asked) -> ((ObjectNode) parent(asked, pointer)).set(name(pointer), value));
    }

    private void drop(String pointer, List<List<Change>> found) {
        JsonNode stated = at(request, pointer);
        if (stated != null && !stated.isNull()) {
            found.add(List.of(dropped(List.of(pointer))));
        }
    }

    private static Change dropped(List<String> pointers) {
        ObjectNode told = told("request");
        pointers.forEach(told.putArray("without")::add);
        patch(told, "remove", pointers, null);
        return new Change("request" + pointers, true, told, (cloud, asked) -> pointers.forEach(pointer -> {
            if (parent(asked, pointer) instanceof ObjectNode parent) {
                parent.remove(name(pointer));
            }
        }));
    }

    /** Names hold no slash; tildes are not escaped. */
    private static @Nullable JsonNode at(JsonNode request, String pointer) {
        return parent(request, pointer).get(name(pointer));
    }

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

    private static ObjectNode told(String kind) {
        return JSON.objectNode().put("change", kind);
    }

    private static void call(ObjectNode told, String service, String method, String path, @Nullable ObjectNode body) {
        ObjectNode call = told.putObject("call").put("service", service).put("method", method).put("path", path);
        if (body != null) {
            call.set("body", body);
        }
    }

    /** The same request again with a JSON patch of its {@code request_spec}. */
    private static void patch(ObjectNode told, String op, List<String> pointers, @Nullable JsonNode value) {
        call(told, "scheduler", "POST", "/v1/select_destinations", null);
        ArrayNode patch = ((ObjectNode) told.get("call")).putArray("patch");
        for (String pointer : pointers) {
            ObjectNode step = patch.addObject().put("op", op).put("path", "/request_spec" + pointer);
            if (value != null) {
                step.set("value", value);
            }
        }
    }
}
