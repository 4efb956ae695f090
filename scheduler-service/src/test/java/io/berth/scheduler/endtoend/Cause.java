package io.berth.scheduler.endtoend;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Causes that keep a request off a host in either phase, with the obstacles that responses report for them: filter or
 * demand, code, wanted and actual value, one per line. Names in braces are replaced once the scene is set up.
 */
enum Cause {
    VCPUS("vcpu", scene -> scene.flavor().put("vcpus", 8), "resources=VCPU:8 capacity 8 4"),
    MEMORY("memory", scene -> scene.flavor().put("memory_mb", 9000), "resources=MEMORY_MB:9000 capacity 9000 8192"),
    DISK("disk", scene -> scene.flavor().put("root_gb", 101), "resources=DISK_GB:101 capacity 101 100"),
    RESERVED("disk", scene -> scene.inventory("DISK_GB", Map.of("total", 100, "reserved", 100)),
            "resources=DISK_GB:1 capacity 1 0"),
    FULL("disk vcpu memory instances service", scene -> {
        scene.inventory("DISK_GB", Map.of("total", 6));
        scene.instance(3);
        scene.instance(2);
        scene.instance(1);
    }, "resources=DISK_GB:1 capacity 1 0"),
    /**
     * This cause combines with no other: a destination becomes placement's {@code in_tree}, which excludes sharing
     * providers.
     */
    SHARED_DISK("everything", scene -> {
        scene.sharedDisk(4, 3);
        scene.flavor().put("root_gb", 2);
    }, "resources=DISK_GB:2 capacity 2 1"),
    MAX_UNIT("memory", scene -> scene.inventory("MEMORY_MB", Map.of("total", 8192, "max_unit", 256)),
            "resources=MEMORY_MB:512 max_unit 512 256"),
    MIN_UNIT("disk", scene -> scene.inventory("DISK_GB", Map.of("total", 100, "min_unit", 2)),
            "resources=DISK_GB:1 min_unit 1 2"),
    STEP_SIZE("memory", scene -> scene.inventory("MEMORY_MB", Map.of("total", 8192, "step_size", 1000)),
            "resources=MEMORY_MB:512 step_size 512 1000"),
    NO_LICENSE("license", scene -> scene.spec("resources:CUSTOM_LICENSE", "1"),
            "resources=CUSTOM_LICENSE:1 no_inventory 1 0"),
    NO_PCPU("numa vcpu", scene -> scene.spec("resources:PCPU", "1"), "resources=PCPU:1 no_inventory 1 0",
            "NUMATopologyFilter no_topology 1 0"),
    NOT_SHARED("everything", scene -> scene.spec("resources:CUSTOM_TAPE", "1"),
            "resources=CUSTOM_TAPE:1 no_sharing_provider [\"" + Cause.TAPES + "\"] []"),
    TRAIT_MISSING("traits", scene -> scene.spec("trait:CUSTOM_FAST", "required"),
            "required=CUSTOM_FAST trait_missing [\"CUSTOM_FAST\"] []"),
    BOTH_TRAITS("traits", scene -> {
        scene.trait(scene.uuid, "CUSTOM_SLOW");
        scene.spec("trait:CUSTOM_FAST", "required");
        scene.spec("trait:CUSTOM_SLOW", "forbidden");
    }, "required=CUSTOM_FAST trait_missing [\"CUSTOM_FAST\"] [\"CUSTOM_SLOW\"]",
            "required=!CUSTOM_SLOW trait_forbidden [\"!CUSTOM_SLOW\"] [\"CUSTOM_SLOW\"]"),
    LARGE_AND_UNEVEN("memory", scene -> {
        scene.inventory("MEMORY_MB", Map.of("total", 8192, "max_unit", 256, "step_size", 1000));
    }, "resources=MEMORY_MB:512 max_unit 512 256", "resources=MEMORY_MB:512 step_size 512 1000"),
    TENANT_AND_FLAVOR("tenant flavor",
            scene -> scene.aggregate(Map.of("filter_tenant_id", "other", "instance_type", "other")),
            "AggregateMultiTenancyIsolation project [\"p\"] [\"other\"]",
            "AggregateTypeAffinityFilter flavor [\"f\"] [\"other\"]"),
    TRAIT_FORBIDDEN("traits", scene -> {
        scene.trait(scene.uuid, "CUSTOM_SLOW");
        scene.spec("trait:CUSTOM_SLOW", "forbidden");
    }, "required=!CUSTOM_SLOW trait_forbidden [\"!CUSTOM_SLOW\"] [\"CUSTOM_SLOW\"]"),
    ROOT_REQUIRED("traits", scene -> levelParams(scene, "root_required").add("CUSTOM_FAST"),
            "root_required=CUSTOM_FAST root_required [\"CUSTOM_FAST\"] []"),
    NOT_IN_AGGREGATE("everything", scene -> destination(scene, "aggregates").addArray().add(Cause.TAPES),
            "member_of=in:" + Cause.TAPES + " not_in_aggregate [\"" + Cause.TAPES + "\"] []"),
    NOT_IN_TREE("everything", scene -> scene.request.putArray("force_hosts").add("free"),
            "in_tree=free not_in_tree [\"free\"] [\"{host}\"]",
            "force_hosts host_not_forced [\"free\"] [\"{host}\"]"),
    CARDS_FULL("cards", scene -> {
        scene.card("card", scene.uuid, "SRIOV_NET_VF", 4);
        scene.spec("resources1:SRIOV_NET_VF", "9");
    }, "resources1=SRIOV_NET_VF:9 capacity 9 4"),
    CARD_WITHOUT_TRAIT("cards", scene -> {
        scene.card("card", scene.uuid, "SRIOV_NET_VF", 4);
        scene.spec("resources1:SRIOV_NET_VF", "1");
        scene.spec("trait1:CUSTOM_FAST", "required");
    }, "required1=CUSTOM_FAST trait_missing [\"CUSTOM_FAST\"] []"),
    ISOLATED_GROUPS("cards specs", scene -> {
        scene.card("card", scene.uuid, "SRIOV_NET_VF", 4);
        scene.spec("resources1:SRIOV_NET_VF", "1");
        scene.spec("resources2:SRIOV_NET_VF", "1");
        scene.spec("group_policy", "isolate");
    }, "group_policy=isolate isolated_groups_collide 2 1",
            "AggregateInstanceExtraSpecsFilter extra_spec_missing [\"isolate\"] []"),
    SAME_SUBTREE("cards specs", scene -> {
        scene.card("card", scene.uuid, "SRIOV_NET_VF", 4);
        scene.card("wire", scene.uuid, "NET_BW_EGR_KILOBIT_PER_SEC", 400);
        ArrayNode ports = scene.request.putArray("requested_resources");
        ports.addObject().put("requester_id", "vf").putObject("resources").put("SRIOV_NET_VF", 1);
        ports.addObject().put("requester_id", "bw").putObject("resources").put("NET_BW_EGR_KILOBIT_PER_SEC", 100);
        levelParams(scene, "same_subtree").addArray().add("vf").add("bw");
        scene.spec("group_policy", "none");
    }, "same_subtree=bw,vf same_subtree [\"bw\",\"vf\"] [\"bw={wire}\",\"vf={card}\"]",
            "AggregateInstanceExtraSpecsFilter extra_spec_missing [\"none\"] []"),
    ZONE("everything", scene -> scene.request.put("availability_zone", "zone-1"),
            "member_of=in:zone not_in_aggregate [\"zone\"] []",
            "AvailabilityZoneFilter zone [\"zone-1\"] [\"nova\"]"),
    DISABLED("service traits", scene -> scene.service("disabled", true),
            "root_required=!COMPUTE_STATUS_DISABLED root_required [\"!COMPUTE_STATUS_DISABLED\"]"
                    + " [\"COMPUTE_STATUS_DISABLED\"]",
            "ComputeFilter service_disabled [\"enabled\"] [\"disabled\"]"),
    DISABLED_AND_DOWN("service traits", scene -> {
        scene.service("forced_down", true);
        scene.service("disabled", true);
    }, "root_required=!COMPUTE_STATUS_DISABLED root_required [\"!COMPUTE_STATUS_DISABLED\"]"
            + " [\"COMPUTE_STATUS_DISABLED\"]",
            "ComputeFilter service_disabled [\"enabled\"] [\"disabled\"]"),
    FORCED_DOWN("service", scene -> scene.service("forced_down", true),
            "ComputeFilter service_forced_down [\"up\"] [\"forced_down\"]"),
    OTHER_TENANT("tenant", scene -> scene.aggregate("filter_tenant_id", "other"),
            "AggregateMultiTenancyIsolation project [\"p\"] [\"other\"]"),
    OTHER_FLAVOR("flavor", scene -> scene.aggregate("instance_type", "other"),
            "AggregateTypeAffinityFilter flavor [\"f\"] [\"other\"]"),
    OTHER_IMAGE("distro", scene -> {
        scene.aggregate("os_distro", "bsd");
        scene.property("os_distro", "linux");
    }, "AggregateImagePropertiesIsolation image_property [\"linux\"] [\"bsd\"]"),
    NOTHING_SUPPORTED("guest", scene -> scene.property("hw_architecture", "aarch64"),
            "ImagePropertiesFilter nothing_supported [\"aarch64\"] []"),
    ARCHITECTURE("guest", scene -> {
        scene.report("supported_instances", "[[\"x86_64\", \"kvm\", \"hvm\"]]");
        scene.property("hw_architecture", "aarch64");
    }, "ImagePropertiesFilter guest_kind [\"aarch64\"] [\"x86_64/kvm/hvm\"]"),
    QUERY("query", scene -> scene.hints().put("query", "[\">=\", \"$num_io_ops\", 7]"),
            "JsonFilter query [\"[\\\">=\\\", \\\"$num_io_ops\\\", 7]\"] "),
    CAPABILITY_MISSING("capability", scene -> scene.spec("capabilities:gpu", "a100"),
            "ComputeCapabilitiesFilter capability_missing [\"a100\"] []"),
    CAPABILITY("capability memory", scene -> scene.spec("capabilities:free_ram_mb", ">= 99999"),
            "ComputeCapabilitiesFilter capability [\">= 99999\"] [\"8192\"]"),
    AGGREGATE_SPEC_MISSING("specs", scene -> scene.spec("aggregate_instance_extra_specs:ssd", "true"),
            "AggregateInstanceExtraSpecsFilter extra_spec_missing [\"true\"] []"),
    AGGREGATE_SPEC("specs", scene -> {
        scene.aggregate("disks", "hdd, nvme");
        scene.spec("aggregate_instance_extra_specs:disks", "s== ssd");
    }, "AggregateInstanceExtraSpecsFilter extra_spec [\"s== ssd\"] [\"hdd\",\"nvme\"]"),
    INSTANCES("disk vcpu memory instances service", scene -> {
        scene.instance(1);
        scene.aggregate("max_instances_per_host", "1");
    }, "AggregateNumInstancesFilter instances 1 1"),
    IO_OPS("io", scene -> {
        scene.report("num_io_ops", "3");
        scene.aggregate("max_io_ops_per_host", "3");
    }, "AggregateIoOpsFilter io_ops 3 3"),
    DIFFERENT_HOST("disk vcpu memory instances service",
            scene -> scene.hints().put("different_host", scene.instance(1)),
            "DifferentHostFilter instance_here [\"!{instance}\"] [\"{instance}\"]"),
    SAME_HOST("same", scene -> scene.hints().put("same_host", Cause.TAPES),
            "SameHostFilter instances_not_here [\"" + Cause.TAPES + "\"] []"),
    GROUP_HERE("disk vcpu memory instances group service",
            scene -> scene.instance(scene.host, 1, scene.group("anti-affinity")),
            "ServerGroupAntiAffinityFilter group_here 1 1"),
    GROUP_ELSEWHERE("group instances", scene -> scene.instance("free", 1, scene.group("affinity")),
            "ServerGroupAffinityFilter group_elsewhere [\"free\"] [\"{host}\"]"),
    IGNORED("ignore", scene -> scene.request.putArray("ignore_hosts").add(scene.host),
            "ignore_hosts ignored [\"!{host}\"] [\"{host}\"]"),
    TRIED("retry", scene -> scene.request.putObject("retry").put("num_attempts", 2).putArray("hosts").addObject()
            .put("host", scene.host).put("nodename", scene.host),
            "RetryFilter tried [\"!{host}\"] [\"{host}\"]"),
    TRUST("trust", scene -> scene.spec("trust:trusted_host", "trusted"),
            "TrustedFilter trust [\"trusted\"] [\"unknown\"]"),
    NO_TOPOLOGY("numa vcpu", scene -> {
        scene.flavor().put("vcpus", 2);
        scene.spec("hw:numa_nodes", "2");
    }, "NUMATopologyFilter no_topology 2 0"),
    NUMA_MEMORY("numa memory", scene -> {
        scene.report("numa_topology", Cause.ONE_CELL);
        scene.spec("hw:numa_nodes", "1");
        scene.flavor().put("memory_mb", 4096);
    }, "NUMATopologyFilter numa_pages 4194304 2097152"),
    HUGE_PAGES("numa", scene -> {
        scene.report("numa_topology", Cause.ONE_CELL);
        scene.spec("hw:mem_page_size", "1048576");
    }, "NUMATopologyFilter numa_page_size 1048576 0"),
    NO_DEVICES("pci", scene -> scene.spec("pci_passthrough:alias", "gpu:1"), "PciPassthroughFilter no_pci_data 1 0"),
    DEVICES("pci", scene -> {
        scene.report("pci_stats", "{\"pools\": [{\"vendor_id\": \"10de\", \"product_id\": \"10d8\", \"count\": 1}]}");
        scene.spec("pci_passthrough:alias", "gpu:2");
    }, "PciPassthroughFilter devices 2 1");

    static final String TAPES = "aaaaaaaa-1111-4111-8111-111111111111";
    static final String ZONE_1 = "aaaaaaaa-2222-4222-8222-222222222222";
    private static final String ONE_CELL = """
            {"cells": [{"id": 0, "cpuset": [0, 1, 2, 3], "pcpuset": [], "memory": 2048, "siblings": [],
                        "mempages": [{"size_kb": 4, "total": 524288}]}]}""";

    private static String free;

    private final Set<String> subjects;
    private final Consumer<Scene> spoil;
    private final List<String> codes;

    /**
     * @param subjects the resources and properties that the cause concerns; two causes that share one do not simply add
     *     up
     */
    Cause(String subjects, Consumer<Scene> spoil, String... codes) {
        this.subjects = Set.of(subjects.split(" "));
        this.spoil = spoil;
        this.codes = List.of(codes);
    }

    /** Creates the traits, classes, providers and the roomy host that the causes need. */
    static void prepare(Region region) {
        for (String trait : List.of("CUSTOM_FAST", "CUSTOM_SLOW", "CUSTOM_NEEDY", "CUSTOM_NOBODYS", "CUSTOM_BOTH", "CUSTOM_BARE")) {
            region.placement().put("/traits/" + trait).then().statusCode(201);
        }
        for (String resourceClass : List.of("CUSTOM_LICENSE", "CUSTOM_TAPE", "CUSTOM_PORT")) {
            region.placement().put("/resource_classes/" + resourceClass).then().statusCode(201);
        }
        Scene roomy = new Scene(region, "free");
        free = roomy.uuid;
        roomy.inventory("VCPU", Map.of("total", 900));
        roomy.inventory("MEMORY_MB", Map.of("total", 900_000));
        roomy.inventory("DISK_GB", Map.of("total", 9_000));
        region.scheduler(0)
                .body(Map.of("name", "zone", "metadata", Map.of("availability_zone", "zone-1"), "hosts",
                        List.of("free")))
                .put("/v1/host_aggregates/" + ZONE_1).then().statusCode(201);
        String tapes = UUID.randomUUID().toString();
        roomy.provider(tapes, "tapes", null, Map.of("CUSTOM_TAPE", Map.of("total", 100)));
        roomy.trait(tapes, "MISC_SHARES_VIA_AGGREGATE");
        roomy.join(tapes, TAPES);
    }

    private static ArrayNode levelParams(Scene scene, String member) {
        return scene.request.withObjectProperty("request_level_params").putArray(member);
    }

    private static ArrayNode destination(Scene scene, String member) {
        return scene.request.withObjectProperty("requested_destination").putArray(member);
    }

    /** Returns true if both causes can apply at once and each reports what it would report alone. */
    boolean goesWith(Cause other) {
        Set<String> both = new HashSet<>(subjects);
        both.retainAll(other.subjects);
        return both.isEmpty() && !subjects.contains("everything") && !other.subjects.contains("everything");
    }

    void spoil(Scene scene) {
        spoil.accept(scene);
    }

    /** The obstacles as responses report them. */
    List<String> codes(Scene scene) {
        return codes.stream().map(line -> {
            String known = line.replace("{free}", free);
            for (Map.Entry<String, String> name : scene.names.entrySet()) {
                known = known.replace("{" + name.getKey() + "}", name.getValue());
            }
            return known;
        }).toList();
    }
}
