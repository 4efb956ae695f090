package io.berth.scheduler.nova.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.text.IntegerText;
import jakarta.annotation.Nullable;

/**
 * Converts nova's RequestSpec into the member {@code request_spec} of the body of
 * {@code POST /v1/select_destinations}. Knows the fields up to version 1.15; ignores those that later versions 1.x add.
 *
 * <p>Copies only fields that a decision uses. Left out are, for example, {@code security_groups}, {@code limits}, and
 * results of a decision ({@code provider_uuids}, pinnings). If {@code numa_topology} or {@code pci_requests} is null,
 * the instance has none; if it is absent, the route derives it from flavor and image.
 * <br>Source: nova {@code objects/request_spec.py}.
 */
final class RequestSpecObject {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private RequestSpecObject() {}

    /**
     * Returns the member {@code request_spec}. Throws ApiFault (400) with the path of an invalid member, or of
     * {@code forbidden_aggregates} in an entry of {@code requested_resources}, which is not supported.
     */
    static ObjectNode body(NovaObject spec) {
        ObjectNode body = JSON.objectNode();
        spec.copy(
                body,
                "instance_uuid", "num_instances", "project_id", "user_id", "availability_zone", "ignore_hosts",
                "force_hosts", "force_nodes", "scheduler_hints", "is_bfv");
        NovaObject flavor = spec.object("flavor");
        if (flavor == null) {
            throw ApiFault.invalid(spec.path() + ".flavor: is required");
        }
        body.set("flavor", flavor(flavor));
        put(body, "image", image(spec.object("image")));
        if (spec.has("numa_topology")) {
            body.set("numa_topology", topology(spec.object("numa_topology")));
        }
        if (spec.has("pci_requests")) {
            NovaObject pci = spec.object("pci_requests");
            body.set("pci_requests", pci == null
                    ? JSON.arrayNode()
                    : pci.objects("requests", RequestSpecObject::pciRequest));
        }
        put(body, "requested_destination", destination(spec.object("requested_destination")));
        put(body, "instance_group", group(spec.object("instance_group")));
        put(body, "network_metadata", copyOrNull(
                spec.object("network_metadata"), "physnets", "tunneled"));
        body.set("requested_resources", spec.objects("requested_resources", RequestSpecObject::resources));
        put(body, "request_level_params", copyOrNull(
                spec.object("request_level_params"), "root_required", "root_forbidden", "same_subtree"));
        NovaObject networks = spec.object("requested_networks");
        if (networks != null) {
            body.set("requested_networks", networks.objects("objects", RequestSpecObject::network));
        }
        put(body, "retry", retry(spec.object("retry")));
        return body;
    }

    private static void put(ObjectNode body, String name, @Nullable JsonNode value) {
        if (value != null) {
            body.set(name, value);
        }
    }

    private static @Nullable ObjectNode copyOrNull(@Nullable NovaObject from, String... fields) {
        return from == null ? null : from.copyOf(fields);
    }

    static ObjectNode flavor(NovaObject flavor) {
        return flavor.copyOf(
                "id", "name", "flavorid", "vcpus", "memory_mb", "root_gb", "ephemeral_gb", "swap", "extra_specs");
    }

    private static @Nullable ObjectNode image(@Nullable NovaObject image) {
        if (image == null) {
            return null;
        }
        ObjectNode body = image.copyOf("id", "name", "disk_format");
        NovaObject properties = image.object("properties");
        if (properties != null) {
            body.set("properties", properties(properties));
        }
        return body;
    }

    /**
     * Converts image properties. The lists {@code hw_numa_cpus} and {@code hw_numa_mem} become one numbered property
     * per element, {@code traits_required} one property {@code trait:NAME} per trait.
     */
    private static ObjectNode properties(NovaObject source) {
        ObjectNode properties = JSON.objectNode();
        source.data().properties().forEach(property -> {
            JsonNode value = property.getValue();
            switch (property.getKey()) {
                case "hw_numa_cpus", "hw_numa_mem" -> {
                    for (int i = 0; i < value.size(); i++) {
                        properties.set(property.getKey() + "." + i, joined(value.get(i)));
                    }
                }
                case "traits_required" -> value.forEach(trait -> properties.put("trait:" + trait.asText(), "required"));
                default -> properties.set(property.getKey(), value);
            }
        });
        return properties;
    }

    /** Joins a list of CPUs with commas; returns any other value unchanged. */
    private static JsonNode joined(JsonNode value) {
        if (!value.isArray()) {
            return value;
        }
        StringBuilder text = new StringBuilder();
        value.forEach(cpu -> text.append(text.isEmpty() ? "" : ",").append(cpu.asText()));
        return JSON.textNode(text.toString());
    }

    /** Converts a NUMA topology; returns a JSON null if there is none. */
    private static JsonNode topology(@Nullable NovaObject topology) {
        if (topology == null) {
            return JSON.nullNode();
        }
        ObjectNode body = topology.copyOf("emulator_threads_policy");
        body.set("cells", topology.objects("cells", RequestSpecObject::cell));
        return body;
    }

    private static JsonNode cell(NovaObject cell) {
        ObjectNode body = cell.copyOf(
                "id", "cpuset", "pcpuset", "memory", "pagesize", "cpu_policy", "cpu_thread_policy");
        // Before version 1.5 of the object, there was no pcpuset, and cpuset contained the dedicated CPUs.
        if (!cell.has("pcpuset") && "dedicated".equals(body.path("cpu_policy").textValue())) {
            body.set("pcpuset", body.get("cpuset"));
            body.set("cpuset", JSON.arrayNode());
        }
        return body;
    }

    private static JsonNode pciRequest(NovaObject request) {
        return request.copyOf("request_id", "count", "spec", "alias_name", "numa_policy");
    }

    private static @Nullable ObjectNode destination(@Nullable NovaObject destination) {
        if (destination == null) {
            return null;
        }
        ObjectNode body = destination.copyOf("host", "node", "allow_cross_cell_move", "forbidden_aggregates");
        // The cell's other fields contain passwords and are not copied.
        NovaObject cell = destination.object("cell");
        if (cell != null) {
            body.putObject("cell").set("uuid", cell.data().get("uuid"));
        }
        JsonNode aggregates = destination.value("aggregates");
        if (aggregates != null) {
            ArrayNode all = body.putArray("aggregates");
            // Each element has uuids of aggregates, separated by commas, of which the host must be in one.
            for (JsonNode alternatives : aggregates) {
                ArrayNode anyOf = all.addArray();
                for (String uuid : alternatives.asText().split(",")) {
                    anyOf.add(uuid);
                }
            }
        }
        return body;
    }

    private static @Nullable ObjectNode group(@Nullable NovaObject group) {
        if (group == null) {
            return null;
        }
        ObjectNode body = group.copyOf("uuid", "policy", "members", "hosts");
        // Before version 1.11 of the object, there was no policy, and policies was a list with one policy.
        JsonNode policies = group.value("policies");
        if (group.value("policy") == null && policies != null && policies.size() > 0) {
            body.set("policy", policies.get(0));
        }
        // nova's field is _rules; the name of its property, rules, is accepted, too.
        JsonNode rules = group.value("_rules") != null ? group.value("_rules") : group.value("rules");
        JsonNode maxServers = rules == null ? null : rules.get("max_server_per_host");
        if (maxServers != null && !maxServers.isNull()) {
            body.putObject("rules").set("max_server_per_host", number(maxServers));
        }
        return body;
    }

    /**
     * Converts text with a whole number to a number. Returns any other value unchanged; the route refuses a value that
     * is not a number.
     */
    private static JsonNode number(JsonNode value) {
        Long number = value.isTextual() ? IntegerText.parse(value.textValue()) : null;
        return number == null ? value : JSON.numberNode(number);
    }

    private static JsonNode resources(NovaObject group) {
        JsonNode forbidden = group.value("forbidden_aggregates");
        if (forbidden != null && forbidden.size() > 0) {
            throw ApiFault.invalid(group.path() + ".forbidden_aggregates: is not supported in requested_resources");
        }
        return group.copyOf(
                "requester_id", "resources", "required_traits", "forbidden_traits", "aggregates", "in_tree");
    }

    /** Converts a requested network; returns null for the ids {@code none} and {@code auto}, which name no network. */
    private static @Nullable JsonNode network(NovaObject network) {
        String id = network.value("network_id") == null ? null : network.value("network_id").asText();
        return "none".equals(id) || "auto".equals(id) ? null : network.copyOf("network_id", "port_id");
    }

    private static @Nullable ObjectNode retry(@Nullable NovaObject retry) {
        if (retry == null) {
            return null;
        }
        ObjectNode body = retry.copyOf("num_attempts");
        NovaObject hosts = retry.object("hosts");
        if (hosts != null) {
            body.set("hosts", hosts.objects("objects", RequestSpecObject::retryHost));
        }
        return body;
    }

    private static JsonNode retryHost(NovaObject node) {
        ObjectNode body = node.copyOf("host");
        put(body, "nodename", node.value("hypervisor_hostname"));
        return body;
    }
}
