package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.text.IntegerText;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.stream.Stream;

/**
 * Creates changes of a request. Creates no change that would leave the request as it is.
 *
 * @param request the request spec as JSON
 */
record RequestChanges(JsonNode request) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> EXTRA_SPECS = List.of("flavor", "extra_specs");
    /** Members of the request spec that a request may omit. */
    private static final List<RequestMember> OPTIONAL = Stream.of(
            "availability_zone", "requested_destination", "ignore_hosts", "force_hosts", "force_nodes", "retry",
            "instance_group", "numa_topology", "pci_requests", "request_level_params").map(RequestMember::of).toList();
    /** The maximum number of alternatives that {@link #omitAny} adds. */
    private static final int OMITTED_MAX = 30;
    /** Members that request dedicated CPUs, or that have a meaning only for dedicated CPUs. */
    private static final List<RequestMember> PINNING = Stream.concat(
            Stream.of("hw:cpu_policy", "hw:cpu_thread_policy", "hw:cpu_dedicated_mask", "hw:emulator_threads_policy",
                    "hw:cpu_realtime", "hw:cpu_realtime_mask").map(RequestMember::extraSpec),
            Stream.of("hw_cpu_policy", "hw_cpu_thread_policy", "hw_emulator_threads_policy", "hw_cpu_realtime_mask")
                    .map(RequestMember::imageProperty))
            .toList();

    /** Adds one alternative, which omits all of the members that the request has; adds nothing if it has none. */
    void omit(List<RequestMember> members, List<List<Change>> alternatives) {
        List<RequestMember> present = members.stream().filter(this::has).toList();
        if (!present.isEmpty()) {
            alternatives.add(List.of(omission(present)));
        }
    }

    void omit(RequestMember member, List<List<Change>> alternatives) {
        omit(List.of(member), alternatives);
    }

    /**
     * Adds alternatives, each of which omits one extra spec, scheduler hint, image property or other optional member of
     * the request, in this order; at most {@value #OMITTED_MAX}.
     */
    void omitAny(List<List<Change>> alternatives) {
        Stream.concat(
                Stream.of(EXTRA_SPECS, List.of("scheduler_hints"), List.of("image", "properties"))
                        .flatMap(this::membersOf),
                OPTIONAL.stream())
                .filter(this::has)
                .limit(OMITTED_MAX)
                .forEach(member -> omit(member, alternatives));
    }

    /**
     * Adds the change that omits a whole request group, if the flavor's extra specs have the group. Adds nothing for
     * the unnumbered group.
     *
     * @param demand a demand of the group, such as {@code resources_net=SRIOV_NET_VF:1}
     */
    void omitGroup(String demand, List<List<Change>> alternatives) {
        String suffix = groupSuffix(demand);
        if (!suffix.isEmpty()) {
            omit(membersOf(EXTRA_SPECS)
                    .filter(spec -> spec.name().startsWith("resources" + suffix + ":")
                            || spec.name().startsWith("trait" + suffix + ":"))
                    .toList(), alternatives);
        }
    }

    /**
     * Adds the change that omits the demand for dedicated CPUs, with the members that are invalid without this demand.
     * Adds nothing for another resource class than PCPU.
     */
    void omitPinning(String resourceClass, List<List<Change>> alternatives) {
        if (resourceClass.equals("PCPU")) {
            omit(PINNING, alternatives);
        }
    }

    /**
     * Adds the change that requests another amount of a resource class. Adds nothing if no single member of the request
     * has the amount.
     *
     * @param demand the demand, such as {@code resources=VCPU:4}
     * @param amount the new amount; if less than 1, adds nothing
     */
    void replaceAmount(String demand, String resourceClass, long amount, List<List<Change>> alternatives) {
        RequestMember spec = groupSpec("resources", demand, resourceClass);
        RequestMember member = has(spec) || !groupSuffix(demand).isEmpty() ? spec : ofFlavor(resourceClass);
        if (member != null && amount >= 1) {
            replace(member, Long.toString(amount), alternatives);
        }
    }

    /** Returns the member of the flavor that has the amount; null if no member has it, or several have it together. */
    private @Nullable RequestMember ofFlavor(String resourceClass) {
        return switch (resourceClass) {
            case "VCPU", "PCPU" -> RequestMember.ofFlavor("vcpus");
            case "MEMORY_MB" -> RequestMember.ofFlavor("memory_mb");
            case "DISK_GB" -> Stream.of("ephemeral_gb", "swap")
                    .allMatch(disk -> request.path("flavor").path(disk).asLong() == 0)
                            ? RequestMember.ofFlavor("root_gb")
                            : null;
            default -> null;
        };
    }

    /**
     * Adds the change that gives a member another value. Adds nothing if the member is missing or has the value
     * already, if it is neither a text nor a number, or if it is a number and {@code value} is not an integer.
     */
    void replace(RequestMember member, String value, List<List<Change>> alternatives) {
        JsonNode from = at(member);
        Long number = IntegerText.parse(value);
        JsonNode to = from.isTextual()
                ? JSON.textNode(value)
                : from.isNumber() && number != null ? JSON.numberNode(number) : null;
        if (to != null && !from.asText().equals(value)) {
            ObjectNode json = Change.createJson("request").put("path", member.pointer());
            json.set("from", from);
            json.set("to", to);
            addCall(json, "replace", List.of(member), to);
            alternatives.add(List.of(new Change("request" + member.pointer(), true, json, (cloud, body) -> {
                if (parent(body, member) instanceof ObjectNode parent) {
                    parent.set(member.name(), to);
                }
            })));
        }
    }

    /**
     * Returns the extra spec for one class or trait of a demand, such as {@code resources_net:SRIOV_NET_VF} for the
     * demand {@code resources_net=SRIOV_NET_VF:1}.
     *
     * @param kind {@code resources} or {@code trait}
     * @param name resource class or trait
     */
    static RequestMember groupSpec(String kind, String demand, String name) {
        return RequestMember.extraSpec(kind + groupSuffix(demand) + ":" + name);
    }

    /** Returns the suffix of a demand's request group; empty for the unnumbered group. */
    private static String groupSuffix(String demand) {
        int end = demand.indexOf('=');
        return end < 0 ? "" : demand.substring(0, end).replaceFirst("^(resources|required)", "");
    }

    private static Change omission(List<RequestMember> members) {
        List<String> pointers = members.stream().map(RequestMember::pointer).toList();
        ObjectNode json = Change.createJson("request");
        pointers.forEach(json.putArray("without")::add);
        addCall(json, "remove", members, null);
        return new Change("request" + pointers, true, json, (cloud, body) -> members.forEach(member -> {
            if (parent(body, member) instanceof ObjectNode parent) {
                parent.remove(member.name());
            }
        }));
    }

    /** Returns the members of one object of the request; none if the request does not have the object. */
    private Stream<RequestMember> membersOf(List<String> object) {
        return at(request, object).properties().stream().map(each -> new RequestMember(
                Stream.concat(object.stream(), Stream.of(each.getKey())).toList()));
    }

    private boolean has(RequestMember member) {
        return !at(member).isMissingNode() && !at(member).isNull();
    }

    private JsonNode at(RequestMember member) {
        return at(request, member.path());
    }

    private static JsonNode parent(JsonNode request, RequestMember member) {
        return at(request, member.path().subList(0, member.path().size() - 1));
    }

    /** Returns the value at a path; a missing node if there is none. */
    private static JsonNode at(JsonNode request, List<String> path) {
        JsonNode value = request;
        for (String name : path) {
            value = value.path(name);
        }
        return value;
    }

    /**
     * Adds to the JSON of a change the call that sends the changed request: the route, and a JSON patch of the original
     * body.
     */
    private static void addCall(ObjectNode json, String op, List<RequestMember> members, @Nullable JsonNode value) {
        ArrayNode patch = Change.addCall(json, "scheduler", "POST", "/v1/select_destinations").putArray("patch");
        for (RequestMember member : members) {
            ObjectNode step = patch.addObject().put("op", op).put("path", "/request_spec" + member.pointer());
            if (value != null) {
                step.set("value", value);
            }
        }
    }
}
