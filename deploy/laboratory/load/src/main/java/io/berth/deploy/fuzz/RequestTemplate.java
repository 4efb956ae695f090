package io.berth.deploy.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A template of a valid request. The placeholders {@code {A}} to {@code {D}} each stand for one of {@value
 * #UUIDS_PER_PLACEHOLDER} uuids, and {@code {N}} for a number from 0 to 5, so that requests refer to the same records
 * and the data stay small. The path, the query and the body of a request each get their own values.
 *
 * @param isForPlacement whether the request is for placement; otherwise it is for the scheduler
 * @param query the query string without the question mark; empty for none
 * @param body JSON; null for none
 */
record RequestTemplate(boolean isForPlacement, String method, String path, String query, String body) {
    private static final int UUIDS_PER_PLACEHOLDER = 12;

    private static final String CLAIM = """
            {"allocations": {"{A}": {"resources": {"VCPU": 1, "MEMORY_MB": 512}, "mappings": {"": ["{A}"]}}},
             "project_id": "p", "user_id": "u", "consumer_generation": null, "consumer_type": "INSTANCE"}""";
    private static final String SPEC = """
            {"instance_uuid": "{C}", "project_id": "p", "user_id": "u", "num_instances": 1,
             "image": {"properties": {"hw_cpu_policy": "shared"}}, "force_hosts": [],
             "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512,
                        "extra_specs": {"hw:cpu_policy": "shared", "trait:HW_CPU_X86_AVX": "required"}}}""";
    private static final String CANDIDATES =
            "resources=VCPU:1&resources1=DISK_GB:2&required=HW_CPU_X86_AVX&required1=!HW_CPU_X86_AVX2"
                    + "&member_of=in:{A},{B}"
                    + "&group_policy=none&same_subtree=,1&in_tree={A}&limit=5&root_required=!CUSTOM_X";

    /** Returns the templates of both services. */
    static List<RequestTemplate> all() {
        List<RequestTemplate> all = new ArrayList<>();
        addPlacement(all);
        addScheduler(all);
        return List.copyOf(all);
    }

    private static void addPlacement(List<RequestTemplate> all) {
        all.add(placementRequest("POST", "/resource_providers", "",
                "{\"name\": \"host-{N}\", \"uuid\": \"{A}\", \"parent_provider_uuid\": null}"));
        all.add(placementRequest("PUT", "/resource_providers/{A}", "",
                "{\"name\": \"host-{N}\", \"parent_provider_uuid\": \"{B}\"}"));
        all.add(placementRequest("GET", "/resource_providers",
                "name=host-{N}&uuid={A}&member_of=in:{A},{B}&resources=VCPU:1&in_tree={B}&required=HW_CPU_X86_AVX",
                null));
        all.add(placementRequest("GET", "/resource_providers/{A}/usages", "", null));
        all.add(placementRequest("PUT", "/resource_providers/{A}/inventories", "",
                "{\"resource_provider_generation\": {N}, \"inventories\": {\"VCPU\": {\"total\": 1000, \"reserved\": 0,"
                        + " \"min_unit\": 1, \"max_unit\": 8, \"step_size\": 1, \"allocation_ratio\": 16.0},"
                        + " \"MEMORY_MB\": {\"total\": 100000}}}"));
        all.add(placementRequest("POST", "/resource_providers/{A}/inventories", "",
                "{\"resource_provider_generation\": {N}, \"resource_class\": \"DISK_GB\", \"total\": 10}"));
        all.add(placementRequest("PUT", "/resource_providers/{A}/inventories/VCPU", "",
                "{\"resource_provider_generation\": {N}, \"total\": 1000, \"allocation_ratio\": 2}"));
        all.add(placementRequest("PUT", "/resource_providers/{A}/traits", "",
                "{\"resource_provider_generation\": {N}, \"traits\": [\"HW_CPU_X86_AVX\", \"CUSTOM_X\"]}"));
        all.add(placementRequest("PUT", "/resource_providers/{A}/aggregates", "",
                "{\"resource_provider_generation\": {N}, \"aggregates\": [\"{A}\", \"{B}\"]}"));
        all.add(placementRequest("POST", "/resource_classes", "", "{\"name\": \"CUSTOM_CLASS_{N}\"}"));
        all.add(placementRequest("PUT", "/resource_classes/CUSTOM_CLASS_{N}", "", null));
        all.add(placementRequest("PUT", "/traits/CUSTOM_X", "", null));
        all.add(placementRequest("GET", "/traits", "name=startswith:CUSTOM_&associated=true", null));
        all.add(placementRequest("GET", "/usages", "project_id=p&user_id=u&consumer_type=INSTANCE", null));
        all.add(placementRequest("PUT", "/allocations/{C}", "", CLAIM));
        all.add(placementRequest("POST", "/allocations", "", "{\"{C}\": " + CLAIM + ", \"{D}\": " + CLAIM + "}"));
        all.add(placementRequest("DELETE", "/allocations/{C}", "", null));
        all.add(placementRequest("POST", "/reshaper", "",
                "{\"inventories\": {\"{A}\": {\"resource_provider_generation\": {N}, \"inventories\":"
                        + " {\"VCPU\": {\"total\": 10}}}}, \"allocations\": {\"{C}\": " + CLAIM + "}}"));
        all.add(placementRequest("GET", "/allocation_candidates", CANDIDATES, null));
        all.add(placementRequest("GET", "/berth/v1/allocation_candidates/explanation", CANDIDATES, null));
        all.add(placementRequest("GET", "/berth/v1/candidates", CANDIDATES + "&after={A}.{N}", null));
        all.add(placementRequest("POST", "/berth/v1/provider_trees", "", "{\"ids\": [1, {N}, 2]}"));
        all.add(placementRequest("POST", "/berth/v1/what_if", "", """
                {"timeout_s": 1, "before": true,
                 "changes": [{"inventory": {"provider": "{A}", "resource_class": "VCPU", "total": 9,
                                            "allocation_ratio": 2}},
                             {"use": {"provider": "{B}", "resources": {"VCPU": {N}}}},
                             {"traits": {"provider": "{A}", "add": ["HW_CPU_X86_AVX"], "remove": []}},
                             {"aggregates": {"provider": "{A}", "add": ["{B}"]}}, {"remove": {"root": "{C}"}},
                             {"add": {"like": "{A}", "root": "{D}", "name": "host-{N}"}}],
                 "asks": [{"candidates": {"query": "resources=VCPU:1&limit=5"}},
                          {"explanation": {"query": "resources=VCPU:1", "providers": ["{A}"], "relaxations": 1}},
                          {"fill": {"query": "resources=VCPU:1", "max": 10, "roots": ["{A}"], "allocations": true}},
                          {"trees": {"roots": ["{A}"]}}]}"""));
        all.add(placementRequest("GET", "/berth/v1/released_consumers", "since=1{N}.1~{N}:{N}:", null));
        all.add(placementRequest("POST", "/berth/v1/audit", "",
                "{\"kinds\": [\"unknown_consumer\"], \"limit\": 5, \"known_consumers\": [\"{C}\"],"
                        + " \"known_from\": \"{A}\", \"settled_seconds\": 900, \"apply\": [\"0123\"]}"));
        all.add(placementRequest("POST", "/berth/v1/audit/{A}/undo", "", null));
    }

    private static void addScheduler(List<RequestTemplate> all) {
        all.add(schedulerRequest("POST", "/v1/select_destinations",
                "{\"return_alternates\": true, \"request_spec\": " + SPEC + "}"));
        all.add(schedulerRequest("POST", "/v1/reschedule",
                "{\"instance_uuid\": \"{C}\", \"project_id\": \"p\", \"user_id\": \"u\", \"failed\":"
                        + " {\"host\": \"h\", \"allocation_request\": {\"allocations\": {\"{A}\": {\"resources\":"
                        + " {\"VCPU\": 1}}}}},"
                        + " \"alternates\": [{\"host\": \"i\", \"allocation_request\": {\"allocations\": {\"{B}\":"
                        + " {\"resources\":"
                        + " {\"VCPU\": 1}}}}}]}"));
        all.add(schedulerRequest("POST", "/v1/simulations",
                "{\"hosts\": [{\"host\": \"a\", \"total_usable_ram_mb\": 2048, \"free_ram_mb\": 2048},"
                        + " {\"host\": \"b\", \"free_ram_mb\": 8192}], \"options\": {\"enabled_filters\":"
                        + " [\"RamFilter\"],"
                        + " \"weight_classes\": [\"RAMWeigher\"]}, \"request_spec\": " + SPEC + "}"));
        all.add(schedulerRequest("POST", "/v1/moves",
                "{\"kind\": \"live\", \"instance_uuid\": \"{C}\", \"migration_uuid\": \"{D}\","
                        + " \"source_compute_node_uuid\": \"{A}\", \"request_spec\": " + SPEC + "}"));
        all.add(schedulerRequest("POST", "/v1/moves/{D}/revert", null));
        all.add(schedulerRequest("POST", "/v1/moves/{D}/confirm", null));
        all.add(schedulerRequest("PUT", "/v1/drains/drain-{N}",
                "{\"select\": {\"hosts\": [\"host-{N}\"]}, \"reason\": \"memory\", \"parallel\": 2, \"per_host\": 1}"));
        all.add(schedulerRequest("DELETE", "/v1/drains/drain-{N}", null));
        all.add(schedulerRequest("PUT", "/v1/cells/{A}", "{\"name\": \"cell-{N}\"}"));
        all.add(schedulerRequest("PUT", "/v1/compute_nodes/{A}",
                "{\"host\": \"host-{N}\", \"supported_instances\": [[\"x86_64\", \"kvm\", \"hvm\"]]}"));
        all.add(schedulerRequest("PUT", "/v1/services/{A}", "{\"host\": \"host-{N}\"}"));
        all.add(schedulerRequest("PUT", "/v1/services/{A}?wait={N}", "{\"host\": \"host-{N}\"}"));
        all.add(schedulerRequest("PUT", "/v1/host_aggregates/{A}", "{\"name\": \"az-{N}\", \"hosts\": [\"host-{N}\"],"
                + " \"metadata\": {\"availability_zone\": \"az-1\"}}"));
        all.add(schedulerRequest("PUT", "/v1/server_groups/{A}",
                "{\"policy\": \"anti-affinity\", \"members\": [\"{C}\"]}"));
        all.add(schedulerRequest("PUT", "/v1/instances/{C}", "{\"host\": \"host-{N}\"}"));
        all.add(schedulerRequest("DELETE", "/v1/instances/{C}", null));
        all.add(schedulerRequest("PUT", "/v1/compute_nodes/{A}/instances",
                "{\"instances\": [{\"uuid\": \"{C}\", \"project_id\": \"p\", \"instance_type_id\": {N},"
                        + " \"image_properties\": {\"os_distro\": \"debian\"}}]}"));
        all.add(schedulerRequest("PUT", "/v1/compute_nodes",
                "{\"compute_nodes\": [{\"uuid\": \"{A}\", \"host\": \"host-{N}\"}]}"));
        all.add(schedulerRequest("PUT", "/v1/host_aggregates",
                "{\"host_aggregates\": [{\"uuid\": \"{A}\", \"name\": \"az-{N}\"}]}"));
        all.add(schedulerRequest("POST", "/v1/host_aggregates", "{\"uuid\": \"{A}\", \"name\": \"az-{N}\"}"));
        all.add(schedulerRequest("DELETE", "/v1/host_aggregates/{A}", null));
        all.add(schedulerRequest("POST", "/v1/services", "{\"uuid\": \"{A}\", \"host\": \"host-{N}\"}"));
        all.add(schedulerRequest("POST", "/v1/services/heartbeats", "{\"services\": [\"{A}\", \"{B}\"]}"));
        all.add(schedulerRequest("POST", "/v1/services/{A}/heartbeat", null));
        all.add(schedulerRequest("POST", "/v1/explanations",
                "{\"timeout_s\": 1, \"hosts\": [\"host-{N}\"], \"options\": {\"enabled_filters\": [\"ComputeFilter\"]},"
                        + " \"request_spec\": " + SPEC + "}"));
        all.add(schedulerRequest("POST", "/v1/capacity",
                "{\"timeout_s\": 1, \"by\": [\"zone\", \"host\"], \"limit\": 5, \"marker\": \"host-{N}\", \"joint\":"
                        + " true, \"requests\": [{\"name\": \"f\", \"max\": 10, \"proportion\": 2, \"request_spec\": "
                        + SPEC + "}]}"));
        all.add(schedulerRequest("PUT", "/v1/capacity/watches/watch-{N}",
                "{\"max\": 10, \"request_spec\": " + SPEC + "}"));
        all.add(schedulerRequest("DELETE", "/v1/capacity/watches/watch-{N}", null));
        all.add(schedulerRequest("POST", "/v1/proposals",
                "{\"timeout_s\": 1, \"max_moves\": 2, \"goal\": {\"make_room\": {\"count\": 1, \"request_spec\": "
                        + SPEC + "}},"
                        + " \"request_specs\": {\"{C}\": " + SPEC + "}}"));
        all.add(schedulerRequest("POST", "/v1/proposals",
                "{\"timeout_s\": 1, \"goal\": {\"empty_hosts\": {\"hosts\": [\"host-{N}\"]}}}"));
        all.add(schedulerRequest("POST", "/v1/proposals",
                "{\"timeout_s\": 1, \"goal\": {\"spread\": {\"resource_class\": \"VCPU\"}}}"));
        all.add(schedulerRequest("POST", "/v1/what_if", """
                {"timeout_s": 1,
                 "changes": [{"inventory": {"hosts": {"all": true}, "resource_class": "VCPU", "allocation_ratio": 2.0}},
                             {"disable": {"hosts": ["host-{N}"]}}, {"enable": {"zone": "az-1"}},
                             {"remove": {"aggregate": "{A}"}},
                             {"add": {"like": "host-{N}", "count": 2, "zone": "az-2"}},
                             {"traits": {"hosts": {"trait": "CUSTOM_X"}, "add": ["HW_CPU_X86_AVX"], "remove": []}},
                             {"aggregate": {"uuid": "{B}", "hosts": ["host-{N}"], "metadata": {"a": "b"}}},
                             {"option": {"ram_weight_multiplier": -1.0}}, {"instances": {"remove": ["{C}"]}}],
                 "ask": {"capacity": [{"name": "f", "request_spec": %1$s}], "placements": [%1$s],
                         "drain": {"hosts": ["host-{N}"]},
                         "replay": {"since": "2026-01-31T12:00:00Z", "limit": {N}}}}"""
                .formatted(SPEC)));
        all.add(schedulerRequest("POST", "/v1/what_if",
                "{\"timeout_s\": 1, \"changes\": [{\"disable\": {\"hosts\": [\"host-{N}\"]}}],"
                        + " \"ask\": {\"placements\": [" + SPEC + "]}}"));
        all.add(schedulerRequest("PUT", "/v1/fleet/{A}/inventories/VCPU",
                "{\"resource_provider_generation\": {N}, \"allocation_ratio\": 2.0, \"reserved\": 0}"));
        all.add(schedulerRequest("POST", "/v1/sign_in",
                "{\"user\": \"u\", \"password\": \"p\", \"project\": \"p\", \"user_domain\": \"d\"}"));
        all.add(new RequestTemplate(false, "GET", "/v1/shadow", "since=2026-01-31T12:00:00Z&limit={N}", null));
        all.add(new RequestTemplate(false, "GET", "/v1/decisions/{D}", "detail=tenant", null));
        for (String path : List.of("/", "/v1", "/v1/compute_nodes", "/v1/services/{A}", "/v1/decisions",
                "/v1/decisions/{D}",
                "/v1/decisions/{D}/hosts/host-{N}", "/v1/capacity/watches", "/v1/capacity/watches/watch-{N}",
                "/v1/fleet", "/v1/fleet/{A}", "/v1/options", "/v1/placement_sync", "/v1/caller", "/v1/replica",
                "/v1/audit", "/v1/changes", "/v1/sign_in", "/v1/instances/{C}", "/v1/moves", "/v1/moves/{D}",
                "/v1/drains", "/v1/drains/drain-{N}", "/v1/drains/drain-{N}/next")) {
            all.add(schedulerRequest("GET", path, null));
        }
    }

    private static RequestTemplate placementRequest(String method, String path, String query, String body) {
        return new RequestTemplate(true, method, path, query, body);
    }

    /** Returns a template for the scheduler. Every GET has the parameters of a list. */
    private static RequestTemplate schedulerRequest(String method, String path, String body) {
        return new RequestTemplate(false, method, path, method.equals("GET") ? "limit=5&marker={A}" : "", body);
    }

    /** Returns the request with random values for the placeholders. */
    RequestTemplate withRandomValues(RandomGenerator random) {
        return new RequestTemplate(
                isForPlacement, method, fill(path, random), fill(query, random), body == null ? null
                        : fill(body, random));
    }

    private static String fill(String text, RandomGenerator random) {
        String filled = text;
        for (String name : List.of("{A}", "{B}", "{C}", "{D}")) {
            filled = filled.replace(name, "%08x-1111-4111-8111-%012x".formatted(random.nextInt(UUIDS_PER_PLACEHOLDER),
                    (int) name.charAt(1)));
        }
        return filled.replace("{N}", String.valueOf(random.nextInt(6)));
    }
}
