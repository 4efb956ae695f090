package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placementsync.DesiredTraits;
import io.berth.scheduler.placementsync.RatioSources;
import io.berth.scheduler.planning.MovesAway;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
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
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Proposes changes of the cloud or of the request that might remove an obstacle. Only a trial shows whether a change
 * removes the obstacle.
 *
 * @param registry the registry with the changes that are tried already
 * @param ratios finds which party sets an inventory's ratios and amounts
 * @param host the host with its obstacles
 * @param request creates the changes of the request
 * @param tenants finds instances that could leave the host
 */
record Changes(
        RegistrySnapshot registry, RatioSources ratios, Evaluation.Host host, RequestChanges request,
        HostConsumers tenants) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String DISABLED = "COMPUTE_STATUS_DISABLED";
    /**
     * The member that a change has instead of {@code call}: the party that must make the change. Berth proposes no call
     * if it would be refused, if the party would overwrite the value, or if the request of an instance to move is
     * unknown.
     */
    private static final String SET_BY = "set_by";
    /** The maximum number of digits after the decimal point of a proposed allocation ratio. */
    private static final int RATIO_DIGITS = 4;
    /** The maximum number of remedies of one obstacle from which changes are proposed: the first ones. */
    private static final int REMEDIES_MAX = 30;
    /** The highest usual allocation ratios, by resource class; 1 for every other class. */
    private static final Map<String, Double> USUAL_RATIO = Map.of("VCPU", 16.0, "MEMORY_MB", 1.5);

    /**
     * Returns alternatives, any of which may remove the obstacle. The changes of an alternative are made together.
     */
    List<List<Change>> alternativesAgainst(Obstacle obstacle) {
        List<List<Change>> alternatives = new ArrayList<>();
        if (obstacle.isOfPlacement()) {
            addOfPlacement(obstacle.json(), alternatives);
        }
        obstacle.remedies().stream().limit(REMEDIES_MAX).forEach(remedy -> add(remedy, alternatives));
        return alternatives;
    }

    /** Returns the alternatives of {@link RequestChanges#omitAny}: each omits one optional member of the request. */
    List<List<Change>> omissions() {
        List<List<Change>> alternatives = new ArrayList<>();
        request.omitAny(alternatives);
        return alternatives;
    }

    /** Adds the alternatives that a filter proposes against its obstacle. */
    private void add(Remedy remedy, List<List<Change>> alternatives) {
        switch (remedy) {
            case Remedy.Omit(List<RequestMember> members) -> request.omit(members, alternatives);
            case Remedy.Replace(RequestMember member, String value) -> request.replace(member, value, alternatives);
            case Remedy.OfService.ENABLE -> addEnabling(alternatives);
            case Remedy.OfService.START -> addStart(alternatives);
            case Remedy.AddToMetadata(String key, List<String> values) -> {
                if (!values.isEmpty()) {
                    addMetadataChanges(key, before -> before + "," + String.join(",", values), alternatives);
                }
            }
            case Remedy.SetMetadata(String key, String value) -> addMetadataChanges(key, _ -> value, alternatives);
            case Remedy.Free(String resourceClass, long amount) -> alternatives.addAll(moveAway(
                    tenants.movesThatFree(host, host.target().provider().toString(), resourceClass, amount)));
            case Remedy.FreeInstances(long count) ->
                alternatives.addAll(moveAway(tenants.movesOfInstances(host, count)));
        }
    }

    /** Adds the alternatives against an obstacle of placement. */
    private void addOfPlacement(ObjectNode obstacle, List<List<Change>> alternatives) {
        String by = obstacle.path("by").asText();
        String code = obstacle.path("code").asText();
        switch (code) {
            case "capacity", "max_unit", "min_unit", "step_size" ->
                addAgainstLackingAmount(obstacle, by, code, alternatives);
            case "no_inventory" -> {
                request.omitPinning(resourceClass(by), alternatives);
                omitResources(by, alternatives);
            }
            case "no_sharing_provider" -> {
                texts(obstacle, "wanted").stream().limit(2)
                        .forEach(uuid -> addAggregateChange(obstacle, uuid, true, alternatives));
                omitResources(by, alternatives);
            }
            case "isolated_groups_collide" -> {
                request.replace(RequestMember.extraSpec("group_policy"), "none", alternatives);
                texts(obstacle, "with").reversed().stream().limit(1)
                        .forEach(demand -> request.omitGroup(demand, alternatives));
            }
            case "same_subtree" -> request.omit(RequestMember.of("request_level_params"), alternatives);
            case "trait_missing" -> texts(obstacle, "wanted").stream().limit(1)
                    .forEach(trait -> addTraitChange(obstacle, trait, true, alternatives));
            case "trait_forbidden" -> texts(obstacle, "had")
                    .forEach(trait -> addTraitChange(obstacle, trait, false, alternatives));
            case "root_required" -> {
                // The name of a forbidden trait or aggregate begins with an exclamation mark.
                texts(obstacle, "wanted").forEach(
                        trait -> addTraitChange(obstacle, trait.replace("!", ""), !trait.startsWith("!"),
                                alternatives));
                request.omit(RequestMember.of("request_level_params"), alternatives);
            }
            case "not_in_aggregate" -> {
                texts(obstacle, "wanted").stream().limit(2)
                        .forEach(uuid -> addAggregateChange(obstacle, uuid, true, alternatives));
                omitOneOf(alternatives, "availability_zone", "requested_destination");
            }
            case "in_forbidden_aggregate" -> texts(obstacle, "wanted").forEach(
                    uuid -> addAggregateChange(obstacle, uuid.replace("!", ""), false, alternatives));
            case "not_in_tree" -> omitOneOf(alternatives, "requested_destination", "force_hosts", "force_nodes");
            default -> {
                // No change is proposed against obstacles with other codes.
            }
        }
    }

    /** Adds one alternative for each of the named members that the request has: it omits this member. */
    private void omitOneOf(List<List<Change>> alternatives, String... names) {
        Stream.of(names).forEach(name -> request.omit(RequestMember.of(name), alternatives));
    }

    /**
     * Adds alternatives that omit a demand for resources: with its whole request group, unless this is the unnumbered
     * group, or only its extra spec.
     *
     * @param by the demand, such as {@code resources_net=SRIOV_NET_VF:1}
     */
    private void omitResources(String by, List<List<Change>> alternatives) {
        request.omitGroup(by, alternatives);
        request.omit(RequestChanges.groupSpec("resources", by, resourceClass(by)), alternatives);
    }

    private static long number(JsonNode obstacle, String member) {
        return obstacle.path(member).asLong();
    }

    /** Returns the resource class of a demand such as {@code resources_net=SRIOV_NET_VF:1}. */
    private static String resourceClass(String demand) {
        return demand.substring(demand.indexOf('=') + 1).split(":")[0];
    }

    private static List<String> texts(JsonNode obstacle, String member) {
        List<String> texts = new ArrayList<>();
        obstacle.path(member).forEach(each -> texts.add(each.asText()));
        return texts;
    }

    // The methods below propose changes in placement.

    /**
     * Adds alternatives against a lacking amount. If the provider has an inventory of the class, these are changes of
     * the inventory, and for {@code capacity} also moves of instances away from the host. Changes of the request follow
     * in any case.
     *
     * @param by the demand, such as {@code resources=VCPU:4}
     * @param code {@code capacity}, {@code max_unit}, {@code min_unit} or {@code step_size}
     */
    private void addAgainstLackingAmount(ObjectNode obstacle, String by, String code, List<List<Change>> alternatives) {
        String resourceClass = resourceClass(by);
        String uuid = obstacle.path("provider").asText();
        JsonNode provider = host.provider(uuid);
        JsonNode inventory = provider == null ? null : provider.path("inventories").get(resourceClass);
        long wanted = obstacle.path("wanted").asLong();
        if (provider != null && inventory != null) {
            long total = inventory.path("total").asLong();
            long reserved = inventory.path("reserved").asLong();
            double ratio = inventory.path("allocation_ratio").asDouble();
            long usedAfter = inventory.path("used").asLong() + wanted;
            String sizeWarning = wanted > total
                    ? "one instance would have %d %s of a machine with %d".formatted(wanted, resourceClass, total)
                    : null;
            switch (code) {
                case "capacity" -> {
                    long reservedNeeded = total - (long) Math.ceil(usedAfter / ratio);
                    // Placement multiplies in floating point, so the rounded amount may lack one unit.
                    if ((total - reservedNeeded) * ratio < usedAfter) {
                        reservedNeeded--;
                    }
                    if (reserved > 0 && reservedNeeded >= 0 && reservedNeeded < reserved) {
                        alternatives.add(List.of(inventoryChange(
                                provider, resourceClass, inventory, "reserved", JSON.numberNode(reservedNeeded),
                                sizeWarning)));
                    }
                    if (total > reserved) {
                        double ratioNeeded = ratio(total - reserved, usedAfter);
                        double usualRatio = USUAL_RATIO.getOrDefault(resourceClass, 1.0);
                        alternatives.add(List.of(inventoryChange(
                                provider, resourceClass, inventory, "allocation_ratio", JSON.numberNode(ratioNeeded),
                                sizeWarning != null || ratioNeeded <= usualRatio || ratioNeeded <= ratio
                                        ? sizeWarning
                                        : "the highest usual ratio is %s".formatted(usualRatio))));
                    }
                    alternatives.addAll(moveAway(
                            tenants.movesThatFree(host, uuid, resourceClass, wanted - number(obstacle, "had"))));
                }
                case "step_size" -> alternatives.add(List.of(
                        inventoryChange(provider, resourceClass, inventory, "step_size", JSON.numberNode(1), null)));
                case "max_unit" -> alternatives.add(List.of(
                        inventoryChange(provider, resourceClass, inventory, code, JSON.numberNode(wanted),
                                sizeWarning)));
                default -> alternatives.add(List.of(
                        inventoryChange(provider, resourceClass, inventory, code, JSON.numberNode(wanted), null)));
            }
            request.replaceAmount(
                    by, resourceClass, possibleAmount(inventory, number(obstacle, "had"), wanted, code), alternatives);
        } else {
            request.replaceAmount(by, resourceClass, number(obstacle, "had"), alternatives);
        }
        request.omitPinning(resourceClass, alternatives);
        omitResources(by, alternatives);
    }

    /**
     * Returns the largest amount up to {@code wanted} that the unit limits of the inventory and, except for
     * {@code step_size}, {@code had} allow; 0 if there is none. For {@code min_unit}, returns the smallest amount that
     * {@code min_unit} and {@code step_size} of the inventory allow.
     *
     * @param had the amount that the inventory has according to the obstacle: what is free, or the unit limit
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
     * Returns the lowest allocation ratio, with {@value #RATIO_DIGITS} decimals, with which {@code amount} has the
     * capacity {@code needed}. Multiplies as placement does, in floating point: 100 times 1.15 is less than 115.
     */
    static double ratio(long amount, long needed) {
        BigDecimal ratio = BigDecimal.valueOf((double) needed / amount).setScale(RATIO_DIGITS, RoundingMode.UP);
        while (amount * ratio.doubleValue() < needed) {
            ratio = ratio.add(BigDecimal.ONE.movePointLeft(RATIO_DIGITS));
        }
        return ratio.doubleValue();
    }

    /** Returns one alternative, which moves all of the instances away; no alternative if there are no instances. */
    private static List<List<Change>> moveAway(List<MovesAway.DepartingInstance> instances) {
        return instances.isEmpty() ? List.of() : List.of(instances.stream().map(Changes::moveAway).toList());
    }

    private static Change moveAway(MovesAway.DepartingInstance instance) {
        ObjectNode json = Change.createJson("free").put("instance", instance.instance().toString());
        ObjectNode frees = json.putObject("frees");
        instance.held().forEach((provider, amounts) -> amounts.forEach(frees.putObject(provider)::put));
        if (instance.call() == null) {
            json.put(SET_BY, "nova");
            json.put("warning",
                    "the instance runs on the host, and its request is unknown:"
                            + " whether another host has room was not tried");
        } else {
            json.put("to", instance.to());
            json.put("warning",
                    "the instance runs on the host, and moves to %s: its amounts are free once the move is confirmed"
                            .formatted(instance.to()));
            json.set("call", instance.call());
        }
        return new Change("leave" + instance.instance(), false, json,
                (cloud, _) -> cloud.move(instance.instance(), instance.held(), instance.taken()));
    }

    /**
     * Creates a change of one member of an inventory.
     *
     * @param beyond the warning that the value is unusual or exceeds the machine; null if the value is usual
     */
    private Change inventoryChange(
            JsonNode provider, String resourceClass, JsonNode inventory, String member, JsonNode value,
            @Nullable String beyond) {
        String uuid = provider.path("uuid").asText();
        ObjectNode body = JSON.objectNode();
        body.set("resource_provider_generation", provider.path("generation"));
        for (String each : List.of("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio")) {
            body.set(each, inventory.path(each));
        }
        body.set(member, value);
        ObjectNode json = addProvider(Change.createJson(member), provider).put("resource_class", resourceClass);
        json.set("from", inventory.path(member));
        json.set("to", value);
        if (beyond != null) {
            json.put(Change.BEYOND, beyond);
        }
        RatioSources.Source source = ratios.sourceOf(node(uuid), resourceClass, member);
        if (source == RatioSources.Source.PLACEMENT) {
            addCall(json, "placement", "PUT", "/resource_providers/" + uuid + "/inventories/" + resourceClass, body);
        } else {
            json.put(SET_BY, source.wireName());
        }
        ObjectNode change = JSON.objectNode();
        change.putObject("inventory").put("provider", uuid).put("resource_class", resourceClass).set(member, value);
        return new Change(member + uuid + resourceClass, false, json, (cloud, _) -> cloud.fleet(change)
                .adaptReport(UUID.fromString(uuid), change.path("inventory")));
    }

    /** Adds the uuid and name of a provider to the JSON of a change. */
    private static ObjectNode addProvider(ObjectNode json, JsonNode provider) {
        return json.put("provider", provider.path("uuid").asText())
                .put("provider_name", provider.path("name").asText());
    }

    /** Returns the compute node that has this root provider; null if no registered node has it. */
    private @Nullable ComputeNode node(String provider) {
        UUID uuid = Uuids.find(provider);
        return uuid == null ? null : registry.findComputeNode(uuid);
    }

    /**
     * Returns whether a changed trait stays as the change makes it. Otherwise the placement sync would add or remove it
     * again: it adds all traits that the compute node reports, and removes COMPUTE_* traits that the node does not
     * report.
     *
     * @param node the compute node of the provider; null if no registered node has the provider
     * @param traits the provider's traits after the change
     * @param trait the trait that was added or removed
     */
    private static boolean stays(@Nullable ComputeNode node, Set<String> traits, String trait) {
        Set<String> reported = node == null || node.provider() == null ? null : node.provider().traits();
        return DesiredTraits.of(traits, null, reported).contains(trait) == traits.contains(trait);
    }

    /**
     * Adds alternatives that add the trait to the provider or remove it from there, or that omit the demand for the
     * trait from the request. If the request forbids {@value #DISABLED} and the host's service is disabled, adds only
     * the change that enables the service.
     *
     * @param wanted whether the request requires the trait; otherwise it forbids the trait
     */
    private void addTraitChange(ObjectNode obstacle, String trait, boolean wanted, List<List<Change>> alternatives) {
        if (trait.equals(DISABLED) && !wanted && addEnabling(alternatives)) {
            return;
        }
        String providerUuid = obstacle.path("provider").asText(host.target().provider().toString());
        JsonNode provider = host.provider(providerUuid);
        if (provider != null) {
            Set<String> traits = new TreeSet<>();
            provider.path("traits").forEach(each -> traits.add(each.asText()));
            boolean isChanged = wanted ? traits.add(trait) : traits.remove(trait);
            ObjectNode body = JSON.objectNode();
            body.set("resource_provider_generation", provider.path("generation"));
            traits.forEach(body.putArray("traits")::add);
            ObjectNode json = addProvider(Change.createJson(wanted ? "add_trait" : "remove_trait"), provider)
                    .put("trait", trait);
            if (stays(node(providerUuid), traits, trait)) {
                addCall(json, "placement", "PUT", "/resource_providers/" + providerUuid + "/traits", body);
            } else {
                json.put(SET_BY, RatioSources.Source.COMPUTE_NODE.wireName());
            }
            ObjectNode change = JSON.objectNode();
            change.putObject("traits").put("provider", providerUuid).putArray(wanted ? "add" : "remove").add(trait);
            if (isChanged) {
                alternatives.add(List.of(new Change(
                        "trait" + providerUuid + trait, false, json, (cloud, _) -> cloud.fleet(change))));
            }
        }
        request.omit(RequestChanges.groupSpec("trait", obstacle.path("by").asText(), trait), alternatives);
        request.omit(RequestMember.imageProperty("trait:" + trait), alternatives);
    }

    /**
     * Adds a change that makes the host, or the sharing provider that the obstacle names, join or leave an aggregate.
     * If a host joins or leaves a registered aggregate, the registry is changed, because the placement sync then
     * updates placement; otherwise placement is changed. Adds nothing if the provider is unknown, or the aggregate
     * would stay as it is.
     *
     * @param uuid the aggregate
     * @param joins whether the host or sharing provider joins; otherwise it leaves
     */
    private void addAggregateChange(ObjectNode obstacle, String uuid, boolean joins, List<List<Change>> alternatives) {
        UUID aggregateUuid = Uuids.find(uuid);
        RegisteredAggregate registered = aggregateUuid == null ? null : registry.findAggregate(aggregateUuid);
        String hostRoot = host.target().provider().toString();
        String providerUuid = obstacle.path("provider").asText(hostRoot);
        // The provider may be a sharing provider outside the host's tree; then the sharing provider joins or leaves.
        String root = host.isOfTree(providerUuid) ? hostRoot : providerUuid;
        if (registered != null && root.equals(hostRoot)) {
            Set<String> hosts = new HashSet<>(registered.hosts());
            if (joins ? hosts.add(host.target().host()) : hosts.remove(host.target().host())) {
                alternatives.add(List.of(aggregateChange(
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
            ObjectNode json = addProvider(Change.createJson(joins ? "join_aggregate" : "leave_aggregate"), provider)
                    .put("aggregate", uuid);
            if (registered != null) {
                json.put("name", registered.facts().name());
            }
            addCall(json, "placement", "PUT", "/resource_providers/" + root + "/aggregates", body);
            ObjectNode change = JSON.objectNode();
            change.putObject("aggregates").put("provider", root).putArray(joins ? "add" : "remove").add(uuid);
            alternatives.add(List.of(
                    new Change("aggregate" + root + uuid, false, json, (cloud, _) -> cloud.fleet(change))));
        }
    }

    // The methods below propose changes in the registry.

    /**
     * Adds a call to the scheduler's registry to the JSON of a change. If nova's databases are the registry, the
     * scheduler refuses changes, so the JSON names nova as the party instead.
     */
    private void registryCall(ObjectNode json, String method, String path, @Nullable ObjectNode body) {
        if (registry.listsAllHosts()) {
            json.put(SET_BY, "nova");
        } else {
            addCall(json, "scheduler", method, path, body);
        }
    }

    /** Adds the change that enables the host's service; returns false if the service is enabled or unknown. */
    private boolean addEnabling(List<List<Change>> alternatives) {
        ComputeService service = registry.findService(host.target().host());
        if (service == null || !service.disabled()) {
            return false;
        }
        ObjectNode json = Change.createJson("enable_service").put("host", service.host());
        registryCall(json, "PUT", "/v1/services/" + service.uuid(), JSON.objectNode()
                .put("host", service.host()).put("disabled", false).put("forced_down", service.forcedDown()));
        alternatives.add(List.of(new Change(
                "service" + service.host(), false, json,
                (cloud, _) -> cloud.setDisabled(service.host(), false, null))));
        return true;
    }

    /**
     * Adds the change that brings the host's service up: cancels the forced-down state, or sends a heartbeat for the
     * service. Adds nothing if the host has no service.
     */
    private void addStart(List<List<Change>> alternatives) {
        ComputeService service = registry.findService(host.target().host());
        if (service == null) {
            return;
        }
        boolean isForcedDown = service.forcedDown();
        ObjectNode json = Change.createJson(isForcedDown ? "release_service" : "start_service")
                .put("host", service.host());
        if (isForcedDown) {
            registryCall(json, "PUT", "/v1/services/" + service.uuid(), JSON.objectNode()
                    .put("host", service.host()).put("disabled", service.disabled())
                    .put("disabled_reason", service.disabledReason()).put("forced_down", false));
        } else {
            registryCall(json, "POST", "/v1/services/" + service.uuid() + "/heartbeat", null);
        }
        // The call for a forced-down service writes the whole service, as the call of addEnabling does. Both changes
        // have the same key, so that the later one replaces the earlier one.
        String key = isForcedDown ? "service" : "heartbeat";
        alternatives.add(List.of(new Change(key + service.host(), false, json, (cloud, _) -> {
            ComputeService current = cloud.registry().findService(service.host());
            if (current == null) {
                return;
            }
            cloud.put(RecordCollection.SERVICES, current.up(isForcedDown ? service.lastHeartbeat() : registry.asOf()));
            // The replaced change had enabled the service, so this one must enable it.
            if (isForcedDown && current.disabled() && !service.disabled()) {
                cloud.setDisabled(service.host(), false, null);
            }
        })));
    }

    /**
     * Adds one alternative for each registered aggregate of the host whose metadata has the key: the key gets another
     * value.
     */
    private void addMetadataChanges(String key, UnaryOperator<String> newValue, List<List<Change>> alternatives) {
        for (RegisteredAggregate aggregate : registry.listAggregates()) {
            if (aggregate.hosts().contains(host.target().host()) && aggregate.metadata().containsKey(key)) {
                Map<String, String> metadata = new HashMap<>(aggregate.metadata());
                metadata.computeIfPresent(key, (_, before) -> newValue.apply(before));
                alternatives.add(List.of(
                        aggregateChange("aggregate_metadata", aggregate, metadata, aggregate.hosts())));
            }
        }
    }

    /** Creates a change of a registered aggregate, with the metadata and hosts after the change. */
    private Change aggregateChange(
            String kind, RegisteredAggregate aggregate, Map<String, String> metadata, Set<String> hosts) {
        HostAggregate facts = aggregate.facts();
        ObjectNode body = JSON.objectNode();
        if (facts.id() != null) {
            body.put("id", facts.id());
        }
        body.put("name", facts.name());
        ObjectNode metadataJson = body.putObject("metadata");
        metadata.forEach(metadataJson::put);
        new TreeSet<>(hosts).forEach(body.putArray("hosts")::add);
        ObjectNode json = Change.createJson(kind).put("aggregate", aggregate.uuid().toString())
                .put("name", facts.name());
        registryCall(json, "PUT", "/v1/host_aggregates/" + aggregate.uuid(), body);
        return new Change("registered" + aggregate.uuid(), false, json, (cloud, _) -> {
            RegisteredAggregate present = cloud.registry().findAggregate(aggregate.uuid());
            if (present != null) {
                cloud.changeAggregate(present, metadata, hosts);
            }
        });
    }

    private static void addCall(ObjectNode json, String service, String method, String path,
            @Nullable ObjectNode body) {
        ObjectNode call = Change.addCall(json, service, method, path);
        if (body != null) {
            call.set("body", body);
        }
    }
}
