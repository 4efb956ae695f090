package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * One of the 48 hosts of the demo: three zones with two racks each, and eight hosts in a rack. The last two hosts of a
 * rack have two GPUs each; a GPU is a child provider with VGPUs. Names and uuids are the same in every run.
 *
 * @param index 0 to 47, by zone, rack and number in the rack
 */
record DemoHost(int index) {
    static final int ZONES = 3;
    static final int RACKS = 2;
    static final int PER_RACK = 8;
    static final int VGPUS_PER_GPU = 4;
    static final List<DemoHost> ALL =
            IntStream.range(0, ZONES * RACKS * PER_RACK).mapToObj(DemoHost::new).toList();

    private static final List<String> GPU_ADDRESSES = List.of("0000_41_00_0", "0000_c1_00_0");
    /** The largest initial load of a host, as a number of parts; the size of a part depends on the {@link Kind}. */
    private static final int PARTS_MAX = 10;
    private static final int MIB_PER_GIB = 1024;

    /** The size of a host, and the amounts of one part of its initial load. The load of a host is 1 to 10 parts. */
    enum Kind {
        GENERAL(96, 384, 8000, 4, 16, 200),
        MEMORY(48, 1024, 4000, 2, 64, 100),
        GPU(64, 512, 4000, 3, 24, 100);

        final int vcpus;
        final int memoryGib;
        final int diskGb;
        private final int partVcpus;
        private final int partMemoryGib;
        private final int partDiskGb;

        Kind(int vcpus, int memoryGib, int diskGb, int partVcpus, int partMemoryGib, int partDiskGb) {
            this.vcpus = vcpus;
            this.memoryGib = memoryGib;
            this.diskGb = diskGb;
            this.partVcpus = partVcpus;
            this.partMemoryGib = partMemoryGib;
            this.partDiskGb = partDiskGb;
        }
    }

    /** Returns the same UUID for the same name in every run, so that the demo can be repeated. */
    static UUID uuidOf(String name) {
        return UUID.nameUUIDFromBytes(("berth-demo/" + name).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the host with these numbers, each from 1. */
    static DemoHost of(int zone, int rack, int number) {
        return ALL.get(((zone - 1) * RACKS + rack - 1) * PER_RACK + number - 1);
    }

    /** Returns the number of the zone, from 1. */
    int zone() {
        return index / (RACKS * PER_RACK) + 1;
    }

    /** Returns the number of the rack in its zone, from 1. */
    int rack() {
        return index / PER_RACK % RACKS + 1;
    }

    /** Returns the number of the host in its rack, from 1. */
    int number() {
        return index % PER_RACK + 1;
    }

    String name() {
        return "az%d-r%d-h%d".formatted(zone(), rack(), number());
    }

    UUID uuid() {
        return uuidOf(name());
    }

    Kind kind() {
        return number() <= 4 ? Kind.GENERAL : number() <= 6 ? Kind.MEMORY : Kind.GPU;
    }

    boolean hasGpus() {
        return kind() == Kind.GPU;
    }

    /** Returns the names of the child providers; none for a host without GPUs. */
    List<String> gpuNames() {
        return hasGpus() ? GPU_ADDRESSES.stream().map(address -> name() + "_pci_" + address).toList() : List.of();
    }

    /** Returns the trait of the host's GPUs; meaningless for a host without GPUs. */
    String gpuTrait() {
        return number() == PER_RACK ? "CUSTOM_GPU_L40S" : "CUSTOM_GPU_A16";
    }

    /** Returns the uuids of the host's root provider and of the providers of its GPUs. */
    List<UUID> providerUuids() {
        List<UUID> providers = new ArrayList<>();
        providers.add(uuid());
        gpuNames().forEach(gpu -> providers.add(uuidOf(gpu)));
        return providers;
    }

    /** Returns the inventories of the host's root provider, as in the body of a PUT. */
    ObjectNode inventories() {
        ObjectNode inventories = RestClient.emptyObject();
        inventories.putObject("VCPU").put("total", kind().vcpus).put("max_unit", kind().vcpus);
        inventories.putObject("MEMORY_MB")
                .put("total", kind().memoryGib * MIB_PER_GIB).put("max_unit", kind().memoryGib * MIB_PER_GIB);
        inventories.putObject("DISK_GB").put("total", kind().diskGb).put("max_unit", kind().diskGb);
        return inventories;
    }

    /** Returns the amounts that are in use on the host before the tour begins, by resource class. */
    Map<String, Integer> initialLoad() {
        int parts = Math.max(1, (7 * index + 3) % (PARTS_MAX + 1));
        return new TreeMap<>(Map.of(
                "VCPU", parts * kind().partVcpus,
                "MEMORY_MB", parts * kind().partMemoryGib * MIB_PER_GIB,
                "DISK_GB", parts * kind().partDiskGb));
    }
}
