package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * A kind of instance that the tour places.
 *
 * @param name the beginning of the instances' names, which end with a number: {@code web-1}
 * @param flavor the flavor's name
 * @param zone the requested availability zone; null for any
 * @param group uuid of an anti-affinity server group; null for none
 * @param extraSpecs the flavor's extra specs besides the required trait {@link DemoFleet#TRAIT}
 * @param wish what is special about the workload's demands, in words for the screen
 */
record Workload(
        String name,
        String flavor,
        int vcpus,
        int memoryGib,
        int diskGb,
        @Nullable String zone,
        @Nullable UUID group,
        Map<String, String> extraSpecs,
        String wish) {
    private static final int MIB_PER_GIB = 1024;
    private static final Map<String, String> REQUIRING_L40S =
            Map.of("resources1:VGPU", "1", "trait1:CUSTOM_GPU_L40S", "required");

    static final Workload WEB = new Workload("web", "m1.medium", 4, 8, 40, null, null, Map.of(), "anywhere");
    static final Workload DB = new Workload("db", "r1.xlarge", 8, 64, 200, null, DemoHost.uuidOf("group/db"), Map.of(),
            "each on another host (server group, anti-affinity)");
    static final Workload APP = new Workload("app", "m1.large", 8, 16, 80, "az-2", null, Map.of(), "in zone az-2");
    static final Workload TRAIN = new Workload("train", "g1.large", 12, 48, 100, null, null, REQUIRING_L40S,
            "a quarter of a GPU, and it must be an L40S");
    static final Workload RENDER = new Workload("render", "g1.8xlarge", 56, 224, 400, "az-2", null, REQUIRING_L40S,
            "a quarter of an L40S, in zone az-2");

    String describe() {
        return "%s: %d vCPUs, %d GiB, %d GB; %s".formatted(flavor, vcpus, memoryGib, diskGb, wish);
    }

    /**
     * Returns the body of {@code POST /v1/select_destinations} for one instance.
     *
     * @param number the number of the instance, from which its name and uuid follow
     */
    ObjectNode request(int number) {
        ObjectNode body = RestClient.emptyObject();
        ObjectNode spec = body.putObject("request_spec");
        spec.put("instance_uuid", DemoHost.uuidOf("instance/" + name + "-" + number).toString());
        spec.put("name", name + "-" + number);
        spec.put("project_id", "demo").put("user_id", "demo");
        ObjectNode flavorBody = spec.putObject("flavor");
        flavorBody.put("name", flavor).put("flavorid", flavor);
        flavorBody.put("vcpus", vcpus).put("memory_mb", memoryGib * MIB_PER_GIB).put("root_gb", diskGb);
        ObjectNode specs = flavorBody.putObject("extra_specs");
        specs.put("trait:" + DemoFleet.TRAIT, "required");
        extraSpecs.forEach(specs::put);
        if (zone != null) {
            spec.put("availability_zone", zone);
        }
        if (group != null) {
            spec.putObject("scheduler_hints").put("group", group.toString());
        }
        return body;
    }
}
