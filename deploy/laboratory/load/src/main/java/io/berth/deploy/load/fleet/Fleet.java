package io.berth.deploy.load.fleet;

import io.berth.deploy.load.fleet.ProviderSpec.Stock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Hosts of one shape (provider tree), numbered from 0. On each host, one consumer holds {@link #initialAllocations} (on
 * a flat host, 30 to 45 percent of each total), so that no query is measured on an empty cloud.
 *
 * @param size the number of hosts, 1 to {@value #SIZE_MAX}
 */
public record Fleet(Shape shape, int size) {
    public static final int SIZE_MAX = 200_000;
    /** The number of consecutive hosts in one aggregate. */
    public static final int HOSTS_PER_AGGREGATE = 40;
    /**
     * The number of kinds of hosts. The kind of a host is its number modulo this; its root provider has the {@link
     * #kindTrait} of this kind.
     */
    public static final int KINDS = 10;

    public static final int DEVICES_PER_WIDE_HOST = 8;
    /** The trait of every root provider. */
    static final String ROOT_TRAIT = "HW_CPU_X86_AVX2";
    private static final Stock VCPU = new Stock(32, 0, 16.0);
    private static final Stock MEMORY_MB = new Stock(262_144, 4_096, 1.5);
    private static final Stock DISK_GB = Stock.of(2_000);

    public Fleet {
        if (size < 1 || size > SIZE_MAX) {
            throw new IllegalArgumentException("a fleet has 1 to " + SIZE_MAX + " hosts, not " + size);
        }
    }

    /**
     * Parses the form that {@link #toString} has.
     *
     * @param text {@code SHAPE:SIZE}, such as {@code flat:5000}
     * @throws IllegalArgumentException if the text has another form; the message is one line for the user
     */
    public static Fleet parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 2 || !parts[1].matches("\\d{1,6}")) {
            throw new IllegalArgumentException("not a fleet of the form flat:5000: " + text);
        }
        return new Fleet(Shape.parse(parts[0]), Integer.parseInt(parts[1]));
    }

    /** Returns the providers of a host, the root first. */
    public List<ProviderSpec> hostProviders(int number) {
        String name = rootName(number);
        return switch (shape) {
            case FLAT -> List.of(root(name, number,
                    Map.of("VCPU", VCPU, "MEMORY_MB", MEMORY_MB, "DISK_GB", DISK_GB)));
            case NESTED -> List.of(
                    root(name, number, Map.of("DISK_GB", DISK_GB)),
                    numaNode(name, 0),
                    numaNode(name, 1),
                    child(name, "pf", Map.of("SRIOV_NET_VF", Stock.of(8)), "HW_NIC_SRIOV"));
            case WIDE -> IntStream.rangeClosed(0, DEVICES_PER_WIDE_HOST)
                    .mapToObj(i -> i == 0
                            ? root(name, number, Map.of("DISK_GB", DISK_GB))
                            : child(name, "pf" + i, Map.of("SRIOV_NET_VF", Stock.of(8)), "HW_NIC_SRIOV"))
                    .toList();
        };
    }

    /** Returns the allocations of the host's initial consumer: for each provider, the units by resource class. */
    public Map<UUID, Map<String, Integer>> initialAllocations(int number) {
        List<ProviderSpec> host = hostProviders(number);
        UUID root = host.getFirst().uuid();
        return switch (shape) {
            case FLAT -> Map.of(root, Map.of("VCPU", 10, "MEMORY_MB", 115_000, "DISK_GB", 600));
            case NESTED -> Map.of(
                    root, Map.of("DISK_GB", 600),
                    host.get(1 + number % 2).uuid(), Map.of("VCPU", 5, "MEMORY_MB", 50_000),
                    host.get(3).uuid(), Map.of("SRIOV_NET_VF", 1));
            case WIDE -> Map.of(root, Map.of("DISK_GB", 600));
        };
    }

    /** Returns the uuid of the host's initial consumer, which holds {@link #initialAllocations}. */
    public UUID initialConsumerUuid(int number) {
        return uuidOf("consumer of %s %d".formatted(shape, number));
    }

    public UUID root(int number) {
        return hostProviders(number).getFirst().uuid();
    }

    /** Returns the name of the root provider, which is also the name of the host. */
    public String rootName(int number) {
        return "bench-%s-%06d".formatted(shape.lowerCase(), number);
    }

    public static String kindTrait(int kind) {
        return "CUSTOM_BENCH_" + kind;
    }

    /**
     * Returns the uuid of the aggregate with this number. The number of its first host is {@code number *
     * HOSTS_PER_AGGREGATE}.
     */
    public UUID aggregate(int number) {
        return uuidOf("aggregate of %s %d".formatted(shape, number));
    }

    /** Returns the number of hosts that have the {@link #kindTrait} of this kind. */
    public int hostsOfKind(int kind) {
        return (size - kind + KINDS - 1) / KINDS;
    }

    public int hostsInAggregate(int number) {
        return Math.clamp(size - (long) number * HOSTS_PER_AGGREGATE, 0, HOSTS_PER_AGGREGATE);
    }

    private ProviderSpec root(String name, int number, Map<String, Stock> inventories) {
        List<String> traits = List.of(ROOT_TRAIT, kindTrait(number % KINDS));
        return new ProviderSpec(
                uuidOf(name), name, null, inventories, traits, List.of(aggregate(number / HOSTS_PER_AGGREGATE)));
    }

    private static ProviderSpec numaNode(String host, int number) {
        Map<String, Stock> inventories = new TreeMap<>();
        inventories.put("VCPU", new Stock(16, 0, 16.0));
        inventories.put("MEMORY_MB", new Stock(131_072, 2_048, 1.5));
        return child(host, "numa" + number, inventories, "HW_NUMA_ROOT");
    }

    private static ProviderSpec child(String host, String name, Map<String, Stock> inventories, String trait) {
        String childName = host + "-" + name;
        return new ProviderSpec(uuidOf(childName), childName, uuidOf(host), inventories, List.of(trait), List.of());
    }

    /** Returns the UUID of a name: the same in every run and on every service. */
    public static UUID uuidOf(String name) {
        return UUID.nameUUIDFromBytes(("berth bench: " + name).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return shape.lowerCase() + ":" + size;
    }
}
