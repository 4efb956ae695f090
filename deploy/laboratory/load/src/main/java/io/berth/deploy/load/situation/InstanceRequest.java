package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.life.Flavor;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A request to the scheduler for one instance.
 *
 * @param image the image as JSON; null for none
 * @param zone the requested availability zone; null for any
 * @param group the uuid of a registered server group; null for none
 */
record InstanceRequest(Flavor flavor, String project, String image, String zone, UUID group) {
    private static final String NO_VALID_HOST = "scheduler.no_valid_host";

    /**
     * Returns the request {@code POST /v1/select_destinations} for this instance alone.
     *
     * @param judge decides whether a response is right
     */
    Exchange select(String kind, UUID instance, Function<Response, Outcome> judge) {
        return Exchange.post(kind, "/v1/select_destinations", body(instance), judge);
    }

    /**
     * Returns the request {@code DELETE /v1/instances/{uuid}}.
     *
     * @param kind the kind of the request that placed the instance; the latency of the deletion is counted as this kind
     *         with the suffix {@code : end}
     * @param judge decides whether a response is right
     */
    static Exchange delete(String kind, UUID instance, Function<Response, Outcome> judge) {
        return Exchange.delete(kind + ": end", "/v1/instances/" + instance, judge);
    }

    /**
     * Returns whether a deletion was refused with 409, which the scheduler sends while a request that places, moves or
     * deletes the instance is in progress. The client must repeat the deletion later.
     */
    static boolean isDeletionRefusedForNow(Response response) {
        return response.status() == 409;
    }

    /** Returns the body of {@code POST /v1/select_destinations}. */
    String body(UUID instance) {
        return "{\"instance_uuids\":[\"" + instance + "\"],\"return_alternates\":true,\"request_spec\":" + spec() + "}";
    }

    /** Returns the request_spec as JSON. */
    String spec() {
        return "{\"num_instances\":1,"
                + "\"project_id\":\"" + project + "\",\"user_id\":\"bench-user\",\"flavor\":" + flavorJson(flavor)
                + (image == null ? "" : ",\"image\":" + image)
                + (zone == null ? "" : ",\"availability_zone\":\"" + zone + "\"")
                + (group == null ? "" : ",\"scheduler_hints\":{\"group\":[\"" + group + "\"]}") + "}";
    }

    private static String flavorJson(Flavor flavor) {
        return "{\"id\":" + (1 + flavor.number()) + ",\"name\":\"bench-" + flavor.number() + "\",\"vcpus\":"
                + flavor.size().vcpus() + ",\"memory_mb\":" + flavor.size().memoryMb() + ",\"root_gb\":"
                + flavor.rootGb()
                + (flavor.extraSpecs().isEmpty() ? "" : ",\"extra_specs\":" + jsonObject(flavor.extraSpecs())) + "}";
    }

    /** Renders an object whose names and values need no escapes in JSON. */
    static String jsonObject(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> "\"" + member.getKey() + "\":\"" + member.getValue() + "\"")
                .sorted()
                .collect(Collectors.joining(",", "{", "}"));
    }

    /**
     * Returns whether the scheduler may select the host for this request, by the host's zone, trait and NUMA topology.
     *
     * @param host the number of the host in the fleet
     * @param filtersNuma whether the scheduler's NUMATopologyFilter is enabled
     */
    boolean mayBePlacedOn(int host, boolean filtersNuma) {
        return (zone == null || zone.equals(RequestMix.zone(Region.zoneOf(host))))
                && (!filtersNuma || !flavor.extraSpecs().containsKey("hw:numa_nodes") || Region.reportsNuma(host))
                && flavor.extraSpecs().keySet().stream().noneMatch(
                        key -> key.startsWith("trait:") && !key.equals("trait:" + Fleet.kindTrait(host % Fleet.KINDS)));
    }

    /** Returns the uuid of the selected host's compute node; null if the response has none. */
    static UUID selectedComputeNode(Response response) {
        String uuid = response.json().path("selections").path(0).path(0).path("compute_node_uuid").asText();
        return uuid.isEmpty() ? null : UUID.fromString(uuid);
    }

    /** Returns whether the scheduler found no valid host. */
    static boolean foundNoValidHost(Response response) {
        return response.status() == 409 && NO_VALID_HOST.equals(response.errorCode());
    }
}
