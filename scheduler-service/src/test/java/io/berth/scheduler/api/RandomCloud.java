package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * A few random hosts in a real Placement that differ in everything that filters and queries look at, and a random
 * request for them.
 */
final class RandomCloud implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Shapes of provider trees. */
    private enum Shape {
        /** A single provider. */
        FLAT,
        /** Child providers with virtual functions. */
        CARDS,
        /** Child providers with processors and memory. */
        CELLS,
        /** Cards with virtual functions, whose child providers have the bandwidth. */
        PORTS
    }

    /** The resources that hosts report to the scheduler. */
    private enum Reported { NOTHING, CELLS, DEVICES }

    private final long seed;
    private final Random random;
    private final Fleet fleet = new Fleet();
    private final List<String> pools = new ArrayList<>();
    private final Shape shape;
    private final Reported reported;
    private final boolean onePerCard;
    private final List<String> names = new ArrayList<>();
    private final List<String> aggregates = new ArrayList<>();
    private final List<String> zones = new ArrayList<>();
    private final int vcpus;
    private final int memoryMb;
    private final int diskGb;
    private final int swapMb;
    private final boolean fromVolume;
    private final Map<String, Object> request;

    /**
     * @param reports whether hosts may report cells and devices; the scheduler then needs their filters and a PCI alias
     */
    RandomCloud(long seed, boolean reports) {
        this.seed = seed;
        this.random = new Random(seed);
        shape = oneIn(2) ? Shape.FLAT : Shape.values()[random.nextInt(Shape.values().length)];
        boolean shared = oneIn(4);
        reported = !reports || shared || shape != Shape.FLAT || oneIn(2)
                ? Reported.NOTHING
                : oneIn(2) ? Reported.CELLS : Reported.DEVICES;
        onePerCard = random.nextBoolean();
        vcpus = 1 + random.nextInt(3);
        memoryMb = 256 * (1 + random.nextInt(4));
        diskGb = random.nextInt(4);
        swapMb = oneIn(6) ? 100 * (1 + random.nextInt(15)) : 0;
        fromVolume = oneIn(8);
        for (int i = shared ? 1 + random.nextInt(2) : 0; i > 0; i--) {
            pool("pool" + i);
        }
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            host("h" + i);
        }
        hostAggregates();
        if (oneIn(4)) {
            admin().body(Map.of("host", names.getFirst(), "forced_down", true))
                    .put("/v1/services/" + UUID.randomUUID()).then().statusCode(201);
        }
        request = makeRequest();
    }

    private boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private List<String> someNames() {
        return names.stream().filter(name -> random.nextBoolean()).toList();
    }

    // Providers

    private Map<String, Object> inventory(int total) {
        Map<String, Object> inventory = new HashMap<>(Map.of("total", total));
        if (oneIn(3)) {
            inventory.put("allocation_ratio", any(List.of(1.5, 2.0, 0.75, 1.1)));
        }
        if (oneIn(4)) {
            inventory.put("reserved", random.nextInt(total));
        }
        if (oneIn(5)) {
            inventory.put("max_unit", Math.max(1, total - random.nextInt(total)));
        }
        if (oneIn(8)) {
            inventory.put("min_unit", 2);
        }
        return inventory;
    }

    private Map<String, Object> processors(int most) {
        Map<String, Object> inventory = inventory(2 + random.nextInt(most));
        if (oneIn(4)) {
            inventory.put("step_size", oneIn(4) ? 2 : vcpus);
        }
        return inventory;
    }

    private Map<String, Object> memory() {
        Map<String, Object> inventory = inventory(1024 * (1 + random.nextInt(6)));
        if (oneIn(4)) {
            inventory.put("step_size", oneIn(4) ? 512 : 256);
        }
        return inventory;
    }

    private void pool(String name) {
        String uuid = UUID.randomUUID().toString();
        Providers.add(uuid, fleet.name(name), null, Map.of("DISK_GB", inventory(2 + random.nextInt(20))),
                List.of("MISC_SHARES_VIA_AGGREGATE"));
        Providers.join(uuid, List.of(uuid));
        pools.add(uuid);
    }

    private void host(String name) {
        String uuid = UUID.randomUUID().toString();
        Map<String, Object> inventories = new HashMap<>();
        if (shape != Shape.CELLS) {
            boolean hasDedicated = reported == Reported.CELLS && !oneIn(4);
            if (hasDedicated) {
                inventories.put("PCPU", processors(14));
            }
            if (!hasDedicated || oneIn(3)) {
                inventories.put("VCPU", processors(14));
            }
            inventories.put("MEMORY_MB", memory());
        }
        if (pools.isEmpty() || oneIn(4)) {
            inventories.put("DISK_GB", inventory(1 + random.nextInt(30)));
        }
        Providers.add(uuid, fleet.name(name), null, inventories, List.of(fleet.trait()));
        if (!pools.isEmpty()) {
            Providers.join(uuid, pools.stream().filter(pool -> pools.size() == 1 || !oneIn(3)).toList());
        }
        for (int i = shape == Shape.FLAT ? 0 : 1 + random.nextInt(3); i > 0; i--) {
            child(uuid, name + "-" + i);
        }
        if (reported != Reported.NOTHING || !oneIn(4)) {
            register(uuid, name);
        }
        names.add(fleet.name(name));
    }

    private void child(String root, String name) {
        String uuid = UUID.randomUUID().toString();
        switch (shape) {
            case CELLS -> Providers.add(uuid, fleet.name(name), root,
                    oneIn(5) ? Map.of("VCPU", processors(8)) : Map.of("VCPU", processors(8), "MEMORY_MB", memory()),
                    List.of());
            case CARDS -> Providers.add(uuid, fleet.name(name), root,
                    Map.of("SRIOV_NET_VF", inventory(1 + random.nextInt(4))),
                    oneIn(2) ? List.of("HW_NIC_SRIOV") : List.of());
            case PORTS -> {
                Providers.add(uuid, fleet.name(name), root, Map.of("SRIOV_NET_VF", inventory(1 + random.nextInt(4))),
                        List.of());
                if (!oneIn(4)) {
                    Providers.add(UUID.randomUUID().toString(), fleet.name(name + "-bw"), uuid,
                            Map.of("NET_BW_EGR_KILOBIT_PER_SEC", inventory(100 * (1 + random.nextInt(4)))), List.of());
                }
            }
            case FLAT -> throw new IllegalStateException("a flat host has no children");
        }
    }

    private void register(String uuid, String name) {
        String report = switch (reported) {
            case CELLS -> """
                    , "numa_topology": {"cells": [
                        {"id": 0, "cpuset": [8, 9], "pcpuset": [0, 1, 2, 3], "memory": %1$d,
                         "siblings": [[0, 1], [2, 3], [8], [9]],
                         "mempages": [{"size_kb": 4, "total": 1048576}, {"size_kb": 2048, "total": %2$d}]},
                        {"id": 1, "cpuset": [], "pcpuset": [4, 5, 6], "memory": %1$d, "siblings": [[4], [5], [6]],
                         "mempages": [{"size_kb": 4, "total": 1048576}, {"size_kb": 2048, "total": %2$d}]}]}"""
                    .formatted(1024 * (1 + random.nextInt(4)), 128 * random.nextInt(8));
            case DEVICES -> """
                    , "pci_stats": {"pools": [
                        {"vendor_id": "10de", "product_id": "10d8", "numa_node": null, "count": %d, "dev_type": "type-PCI"},
                        {"vendor_id": "8086", "product_id": "1520", "numa_node": null, "count": %d, "dev_type": "type-PCI"}]}"""
                    .formatted(random.nextInt(5), random.nextInt(3));
            case NOTHING -> "";
        };
        admin().body("{\"host\": \"" + fleet.name(name) + "\"" + report + "}")
                .put("/v1/compute_nodes/" + uuid).then().statusCode(201);
    }

    // Host aggregates

    private void hostAggregates() {
        for (int i = random.nextInt(4); i > 0; i--) {
            Map<String, String> metadata = new HashMap<>();
            switch (random.nextInt(6)) {
                case 0 -> {
                    zones.add(fleet.name("zone" + i));
                    metadata.put("availability_zone", zones.getLast());
                }
                case 1 -> metadata.put("filter_tenant_id",
                        random.nextBoolean() ? fleet.name("p") : fleet.name("other"));
                case 2 -> metadata.put("os_distro", any(List.of("bsd", "linux")));
                case 3 -> metadata.put("trait:" + fleet.trait() + "X", "required");
                case 4 -> metadata.put("disk", any(List.of("ssd", "hdd")));
                default -> metadata.put("max_instances_per_host", "" + (1 + random.nextInt(4)));
            }
            String uuid = UUID.randomUUID().toString();
            admin().body(Map.of("name", fleet.name("agg" + i), "metadata", metadata, "hosts", zoneless(metadata)))
                    .put("/v1/host_aggregates/" + uuid).then().statusCode(201);
            aggregates.add(uuid);
        }
    }

    /** Only the first zone gets hosts, so that no host is in two zones. */
    private List<String> zoneless(Map<String, String> metadata) {
        return metadata.containsKey("availability_zone") && zones.size() > 1 ? List.of() : someNames();
    }

    // The request

    private Map<String, Object> makeRequest() {
        Map<String, Object> extraSpecs = new LinkedHashMap<>(Map.of("trait:" + fleet.trait(), "required"));
        Map<String, Object> spec = new LinkedHashMap<>();
        switch (shape) {
            case CARDS -> {
                extraSpecs.put("resources1:SRIOV_NET_VF", "1");
                if (oneIn(3)) {
                    extraSpecs.put("trait1:HW_NIC_SRIOV", oneIn(3) ? "forbidden" : "required");
                }
                if (oneIn(2)) {
                    extraSpecs.put("resources2:SRIOV_NET_VF", "" + (1 + random.nextInt(2)));
                    extraSpecs.put("group_policy", onePerCard ? "isolate" : "none");
                }
            }
            case PORTS -> {
                spec.put("requested_resources", List.of(
                        Map.of("requester_id", "vf", "resources", Map.of("SRIOV_NET_VF", 1)),
                        Map.of("requester_id", "bw", "resources", Map.of("NET_BW_EGR_KILOBIT_PER_SEC", 100))));
                if (!oneIn(3)) {
                    spec.put("request_level_params", Map.of("same_subtree", List.of(List.of("vf", "bw"))));
                }
                extraSpecs.put("group_policy", "none");
            }
            case CELLS, FLAT -> {
                // These shapes need no request groups.
            }
        }
        switch (reported) {
            case CELLS -> {
                if (!oneIn(4)) {
                    extraSpecs.put("hw:cpu_policy", "dedicated");
                }
                if (oneIn(3)) {
                    extraSpecs.put("hw:mem_page_size", "2048");
                }
                // Unlike with reported cells alone, results of an attempt on one host remain for the next one, as in
                // nova.
                if (oneIn(3) && (vcpus == 2 || vcpus == 3 && names.size() == 1)) {
                    extraSpecs.put("hw:numa_nodes", "2");
                    extraSpecs.putIfAbsent("hw:cpu_policy", "dedicated");
                    if (vcpus == 3) {
                        extraSpecs.putAll(Map.of("hw:numa_cpus.0", "0", "hw:numa_cpus.1", "1,2",
                                "hw:numa_mem.0", "128", "hw:numa_mem.1", "" + (memoryMb - 128)));
                    }
                }
            }
            case DEVICES -> extraSpecs.put("pci_passthrough:alias", any(List.of("gpu:1", "gpu:2", "gpu:1,nic:1")));
            case NOTHING -> {
                // The request needs no reported resources.
            }
        }
        if (oneIn(5)) {
            extraSpecs.put("aggregate_instance_extra_specs:disk", "ssd");
        }
        spec.put("project_id", fleet.name("p"));
        spec.put("user_id", "u");
        spec.put("flavor", Map.of(
                "id", 1, "name", "f", "vcpus", vcpus, "memory_mb", memoryMb, "root_gb", diskGb, "swap", swapMb,
                "extra_specs", extraSpecs));
        if (fromVolume) {
            spec.put("is_bfv", true);
        }
        if (oneIn(4)) {
            spec.put("image", Map.of("id", UUID.randomUUID().toString(), "properties", Map.of("os_distro", "linux")));
        }
        addHostRestriction(spec);
        if (reported == Reported.NOTHING && oneIn(3)) {
            spec.put("scheduler_hints", Map.of("group", group()));
        }
        return spec;
    }

    private void addHostRestriction(Map<String, Object> spec) {
        if (!zones.isEmpty() && oneIn(2)) {
            spec.put("availability_zone", any(zones));
        }
        switch (random.nextInt(12)) {
            case 0 -> spec.put("ignore_hosts", someNames());
            case 1 -> spec.put("force_hosts", List.of(any(names)));
            case 2 -> spec.put("force_hosts", someNames());
            case 3 -> spec.put("requested_destination", Map.of("host", any(names)));
            default -> {
                // The request may go to any host.
            }
        }
    }

    private String group() {
        String group = UUID.randomUUID().toString();
        Map<String, Object> body = new HashMap<>();
        body.put("policy", any(List.of("affinity", "anti-affinity", "soft-anti-affinity", "soft-affinity")));
        if (body.get("policy").equals("anti-affinity") && random.nextBoolean()) {
            body.put("rules", Map.of("max_server_per_host", 1 + random.nextInt(3)));
        }
        admin().body(body).put("/v1/server_groups/" + group).then().statusCode(201);
        return group;
    }

    /** The request_spec as JSON. */
    String request() {
        return json(request);
    }

    /** Requests with the same and with another flavor, to be placed first. */
    List<String> placedBefore() {
        List<String> before = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            before.add(request());
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            before.add(json(Map.of(
                    "project_id", fleet.name("p"), "user_id", "u",
                    "flavor", Map.of(
                            "id", 2, "name", "other", "vcpus", 2, "memory_mb", 512, "root_gb", 1,
                            "extra_specs", Map.of("trait:" + fleet.trait(), "required")))));
        }
        return before;
    }

    /** Returns true if hosts report their free cells and devices themselves. */
    boolean isReportedByHosts() {
        return reported != Reported.NOTHING;
    }

    private static String json(Map<String, Object> value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "seed " + seed;
    }

    /** Deletes the host aggregates, which would affect the requests of other clouds. */
    @Override
    public void close() {
        aggregates.forEach(uuid -> admin().delete("/v1/host_aggregates/" + uuid).then().statusCode(204));
    }
}
