package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * A small random cloud whose instances are moved as an orchestrator would: it calls {@code POST /v1/moves}, confirms,
 * and reports the free cells and devices of the hosts again.
 */
final class MovingCloud {
    private static final int PAGES_PER_MIB = 256;

    final Fleet fleet = new Fleet();
    /** Provider uuid by host name. */
    final Map<String, String> hosts = new LinkedHashMap<>();
    /** Request spec by instance. */
    final Map<String, String> instances = new LinkedHashMap<>();
    /** Host name by instance. */
    final Map<String, String> at = new HashMap<>();
    private final Random random;
    private final String pool = UUID.randomUUID().toString();
    private final boolean sharedDisk;
    private final boolean nested;
    private final boolean pinned;
    private final boolean devices;
    private final Map<String, Reported> reports = new HashMap<>();
    private final List<String> groups = new ArrayList<>();

    /** The usage that a host reports for its one NUMA cell and its devices. */
    private static final class Reported {
        private int pinnedCpus;
        private int memoryMb;
        private int devicesLeft;
    }

    MovingCloud(long seed) {
        this(seed, false);
    }

    /** @param pinned true: all instances have dedicated CPUs; false: only those of some clouds */
    MovingCloud(long seed, boolean pinned) {
        random = new Random(seed);
        sharedDisk = random.nextInt(4) == 0;
        nested = !pinned && random.nextInt(4) == 0;
        this.pinned = pinned || !nested && random.nextInt(4) == 0;
        devices = !nested && !this.pinned && random.nextInt(4) == 0;
        if (sharedDisk) {
            Providers.add(pool, fleet.name("pool"), null,
                    Map.of("DISK_GB", Map.of("total", 20 + random.nextInt(40))), List.of("MISC_SHARES_VIA_AGGREGATE"));
            Providers.join(pool, List.of(pool));
        }
        for (int i = 3 + random.nextInt(4); i > 0; i--) {
            host("h" + i);
        }
        zones();
        for (int i = random.nextInt(3); i > 0; i--) {
            group();
        }
        for (int i = 5 + random.nextInt(8); i > 0; i--) {
            placeInstance();
        }
    }

    Random random() {
        return random;
    }

    private void host(String name) {
        String uuid = UUID.randomUUID().toString();
        Map<String, Object> inventories = new HashMap<>();
        inventories.put(pinned ? "PCPU" : "VCPU", Map.of("total", 4 + random.nextInt(8)));
        inventories.put("MEMORY_MB", Map.of("total", 1024 * (2 + random.nextInt(6))));
        if (!sharedDisk || random.nextInt(4) == 0) {
            inventories.put("DISK_GB", Map.of("total", 10 + random.nextInt(30)));
        }
        Providers.add(uuid, fleet.name(name), null, inventories, List.of(fleet.trait()));
        if (sharedDisk) {
            Providers.join(uuid, List.of(pool));
        }
        if (nested) {
            for (int i = random.nextInt(3); i >= 0; i--) {
                Providers.add(UUID.randomUUID().toString(), fleet.name(name + "-" + i), uuid,
                        Map.of("SRIOV_NET_VF", Map.of("total", 1 + random.nextInt(3))), List.of());
            }
        }
        hosts.put(fleet.name(name), uuid);
        if (pinned || devices || random.nextInt(4) > 0) {
            Reported reported = new Reported();
            reported.devicesLeft = random.nextInt(4);
            reports.put(fleet.name(name), reported);
            report(fleet.name(name)).statusCode(201);
        }
    }

    private io.restassured.response.ValidatableResponse report(String host) {
        Reported reported = reports.get(host);
        List<String> pins = new ArrayList<>();
        for (int i = 0; i < reported.pinnedCpus; i++) {
            pins.add("" + i);
        }
        String more = pinned
                ? """
                , "numa_topology": {"cells": [
                    {"id": 0, "cpuset": [], "pcpuset": [0, 1, 2, 3, 4, 5], "memory": 4096,
                     "siblings": [[0], [1], [2], [3], [4], [5]], "pinned_cpus": [%s], "cpu_usage": 0, "memory_usage": %d,
                     "mempages": [{"size_kb": 4, "total": 1048576, "used": %d}]}]}""".formatted(
                        String.join(",", pins), reported.memoryMb, reported.memoryMb * PAGES_PER_MIB)
                : devices
                        ? """
                        , "pci_stats": {"pools": [{"vendor_id": "10de", "product_id": "10d8", "numa_node": null,
                            "count": %d, "dev_type": "type-PCI"}]}""".formatted(reported.devicesLeft)
                        : "";
        return admin().body("{\"host\": \"" + host + "\"" + more + "}")
                .put("/v1/compute_nodes/" + hosts.get(host)).then();
    }

    /** Adds random host aggregates (zones, tenant isolation, instance limits) and sometimes a host that is down. */
    private void zones() {
        for (int i = random.nextInt(3); i > 0; i--) {
            Map<String, String> metadata = new HashMap<>();
            switch (random.nextInt(3)) {
                case 0 -> metadata.put("availability_zone", fleet.name("zone"));
                case 1 -> metadata.put("filter_tenant_id", random.nextBoolean() ? fleet.name("p") : "other");
                default -> metadata.put("max_instances_per_host", "" + (2 + random.nextInt(4)));
            }
            List<String> some = hosts.keySet().stream().filter(name -> random.nextBoolean()).toList();
            admin().body(Map.of("name", fleet.name("agg" + i), "metadata", metadata, "hosts", some))
                    .put("/v1/host_aggregates/" + UUID.randomUUID()).then().statusCode(201);
        }
        if (random.nextInt(4) == 0) {
            admin().body(Map.of("host", hosts.keySet().iterator().next(), "forced_down", true))
                    .put("/v1/services/" + UUID.randomUUID()).then().statusCode(201);
        }
    }

    private void group() {
        String group = UUID.randomUUID().toString();
        Map<String, Object> body = new HashMap<>();
        body.put("policy", List.of("affinity", "anti-affinity", "soft-anti-affinity").get(random.nextInt(3)));
        if (body.get("policy").equals("anti-affinity") && random.nextBoolean()) {
            body.put("rules", Map.of("max_server_per_host", 2));
        }
        admin().body(body).put("/v1/server_groups/" + group).then().statusCode(201);
        groups.add(group);
    }

    /** A random request for one instance. */
    String spec() {
        int vcpus = 1 + random.nextInt(3);
        String extra = nested && random.nextBoolean() ? ", \"resources1:SRIOV_NET_VF\": \"1\"" : "";
        extra += pinned ? ", \"hw:cpu_policy\": \"dedicated\"" : "";
        extra += devices && random.nextBoolean() ? ", \"pci_passthrough:alias\": \"gpu:1\"" : "";
        String hint = groups.isEmpty() || random.nextInt(3) > 0
                ? ""
                : ", \"scheduler_hints\": {\"group\": \"" + groups.get(random.nextInt(groups.size())) + "\"}";
        return """
                {"project_id": "%s", "user_id": "u",
                  "flavor": {"id": 1, "name": "f", "vcpus": %d, "memory_mb": %d, "root_gb": %d,
                             "extra_specs": {"trait:%s": "required"%s}}%s}"""
                .formatted(fleet.name("p"), vcpus, 256 * (1 + random.nextInt(4)), random.nextInt(4), fleet.trait(),
                        extra, hint);
    }

    /** Tries to place one more instance. */
    private void placeInstance() {
        String spec = spec();
        String instance = UUID.randomUUID().toString();
        Response response = select("{\"instance_uuids\": [\"" + instance + "\"], \"request_spec\": " + spec + "}");
        assertThat(response.statusCode()).as(response.asString()).isIn(200, 409);
        if (response.statusCode() == 200) {
            instances.put(instance, spec);
            addInstance(response.path("selections[0][0].host"), instance);
        }
    }

    /** Host names, those with the most instances first. */
    List<String> busiest() {
        Map<String, Integer> counts = new HashMap<>();
        at.values().forEach(host -> counts.merge(host, 1, Integer::sum));
        return hosts.keySet().stream()
                .sorted(Comparator.comparingInt((String host) -> counts.getOrDefault(host, 0)).reversed())
                .toList();
    }

    /** Moves the instance and confirms; returns its new host, or null if there was none. */
    String move(String instance, String from, String request) {
        String migration = UUID.randomUUID().toString();
        Response response = admin().body("""
                {"kind": "live", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(instance, migration, hosts.get(from), request)).post("/v1/moves");
        assertThat(response.statusCode()).as(response.asString()).isIn(200, 409);
        if (response.statusCode() == 409) {
            assertThat(response.<String>path("errors[0].code")).as(response.asString())
                    .isEqualTo("scheduler.no_valid_host");
            return null;
        }
        placement().delete("/allocations/" + migration).then().statusCode(204);
        String host = response.path("selections[0][0].host");
        addInstance(host, instance);
        return host;
    }

    /** Counts the instance on the host and reports the host again. */
    private void addInstance(String host, String instance) {
        at.put(instance, host);
        Reported reported = reports.get(host);
        if (reported == null || !pinned && !devices) {
            return;
        }
        var flavor = io.restassured.path.json.JsonPath.from(instances.get(instance));
        if (pinned) {
            reported.pinnedCpus += flavor.getInt("flavor.vcpus");
            reported.memoryMb += flavor.getInt("flavor.memory_mb");
        } else if (instances.get(instance).contains("gpu:1")) {
            reported.devicesLeft--;
        }
        report(host).statusCode(200);
    }

    /** The request of an instance with these hosts in ignore_hosts. */
    String without(String instance, List<String> ignored) {
        String spec = instances.get(instance);
        return spec.substring(0, spec.lastIndexOf('}')) + ", \"ignore_hosts\": [\"" + String.join("\",\"", ignored)
                + "\"]}";
    }

    /** Makes a move of a plan with the request that the plan gives, and confirms it. */
    void carryOut(Map<String, Object> step, String about) {
        begin(step, about);
        confirm(step);
    }

    /** Makes the move without the confirmation. */
    void begin(Map<String, Object> step, String about) {
        Response response = admin().body(bodyOf(step)).post("/v1/moves");
        assertThat(response.statusCode()).as(step + " returned " + response.asString() + " in " + about).isEqualTo(200);
        assertThat(response.<String>path("selections[0][0].host")).as(about).isEqualTo(step.get("host"));
        if (instances.containsKey(step.get("instance").toString())) {
            addInstance(step.get("host").toString(), step.get("instance").toString());
        }
    }

    static void confirm(Map<String, Object> step) {
        placement().delete("/allocations/" + bodyOf(step).get("migration_uuid")).then().statusCode(204);
    }

    private static Map<String, Object> bodyOf(Map<String, Object> step) {
        return io.restassured.path.json.JsonPath.from(toJson(step)).getMap("call.body");
    }

    private static String toJson(Object value) {
        try {
            return new com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(value);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Usage by resource class, summed over the host's provider tree. */
    static Map<String, Integer> use(String host) {
        String root = placement().get("/resource_providers?name=" + host).path("resource_providers[0].uuid");
        List<String> tree = placement().get("/resource_providers?in_tree=" + root)
                .jsonPath().getList("resource_providers.uuid");
        Map<String, Integer> sums = new HashMap<>();
        for (String provider : tree) {
            Map<String, Integer> used = placement().get("/resource_providers/" + provider + "/usages").path("usages");
            used.forEach((name, amount) -> {
                if (amount > 0) {
                    sums.merge(name, amount, Integer::sum);
                }
            });
        }
        return sums;
    }
}
