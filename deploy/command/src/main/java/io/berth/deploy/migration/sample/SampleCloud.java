package io.berth.deploy.migration.sample;

import io.berth.deploy.migration.state.Consumer;
import io.berth.deploy.migration.state.Inventory;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.Provider;
import io.berth.model.Maps;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Generates a random state of a Placement. The same counts and the same seed give the same state. Allocations may
 * exceed capacities.
 */
public final class SampleCloud {
    private static final List<String> TRAITS = List.of("HW_CPU_X86_AVX", "HW_CPU_X86_AVX2", "HW_CPU_X86_VMX",
            "STORAGE_DISK_SSD", "COMPUTE_VOLUME_MULTI_ATTACH", "CUSTOM_GOLD", "CUSTOM_RACK_LOCAL", "CUSTOM_LICENSED");
    private static final String SHARING_TRAIT = "MISC_SHARES_VIA_AGGREGATE";
    private static final List<String> CUSTOM_CLASSES = List.of("CUSTOM_BAREMETAL", "CUSTOM_FPGA", "CUSTOM_UNUSED");
    private static final List<String> CONSUMER_TYPES =
            List.of("INSTANCE", "INSTANCE", "INSTANCE", "MIGRATION", "CUSTOM_JOB",
                    Consumer.UNTYPED);
    private static final int HOSTS_PER_SHARING_PROVIDER = 40;
    private static final int PROVIDERS_PER_OVERUSED = 25;

    private final RandomGenerator random;
    private final Map<UUID, Provider> providers = new HashMap<>();
    /** For each host, the uuids of its providers. */
    private final List<List<UUID>> hosts = new ArrayList<>();
    /** The aggregate of the last sharing provider, which further hosts may join; null before the first one. */
    private @Nullable String sharedAggregate;

    private SampleCloud(RandomGenerator random) {
        this.random = random;
    }

    /** Returns a state with {@code providerCount} providers, children included, and {@code consumerCount} consumers. */
    public static PlacementState of(int providerCount, int consumerCount, RandomGenerator random) {
        var cloud = new SampleCloud(random);
        for (int number = 0; cloud.providers.size() < providerCount; number++) {
            int remaining = providerCount - cloud.providers.size();
            if (number % HOSTS_PER_SHARING_PROVIDER == 0 && remaining > 1) {
                cloud.addSharingProvider(number);
            } else {
                cloud.addHost(number, remaining >= 4 ? random.nextInt(4) : 0);
            }
        }
        Map<UUID, Consumer> consumers = new HashMap<>();
        for (int i = 0; i < consumerCount; i++) {
            consumers.put(uuid(random), cloud.consumer());
        }
        cloud.shrinkSomeInventories(consumers);
        SortedSet<String> traits = new TreeSet<>(TRAITS);
        traits.addAll(List.of(SHARING_TRAIT, "CUSTOM_UNUSED", "HW_NUMA_ROOT"));
        SortedSet<String> classes = new TreeSet<>(CUSTOM_CLASSES);
        classes.addAll(List.of("VCPU", "MEMORY_MB", "DISK_GB", "SRIOV_NET_VF"));
        return new PlacementState(classes, traits, Map.copyOf(cloud.providers), Map.copyOf(consumers));
    }

    private void addSharingProvider(int number) {
        String uuid = uuid(random).toString();
        // Every second aggregate lacks the dashes: some clients write Python's uuid4().hex.
        String aggregate = number % (2 * HOSTS_PER_SHARING_PROVIDER) == 0 ? uuid.replace("-", "") : uuid;
        sharedAggregate = aggregate;
        add("share-" + number, null, Map.of("DISK_GB", new Inventory(200_000, 100, 1, 200_000, 1, 1)),
                Set.of(SHARING_TRAIT, "STORAGE_DISK_SSD"), Set.of(aggregate));
    }

    /**
     * Adds the providers of a host.
     *
     * @param shape 0 or 1: one provider; 2: bare metal; 3: a root with two NUMA nodes, one of them with a network card
     */
    private void addHost(int number, int shape) {
        String name = "host-%05d".formatted(number);
        Set<String> aggregates = sharedAggregate == null || random.nextInt(3) == 0 ? Set.of() : Set.of(sharedAggregate);
        if (shape == 2) {
            hosts.add(List.of(add(name, null, Map.of("CUSTOM_BAREMETAL", new Inventory(1, 0, 1, 1, 1, 1)), traits(),
                    aggregates)));
        } else if (shape < 2) {
            Map<String, Inventory> inventories = new HashMap<>(Map.of("VCPU", vcpus(), "MEMORY_MB", memory()));
            if (aggregates.isEmpty()) {
                inventories.put("DISK_GB", new Inventory(2_000, 10, 1, 2_000, 5, 1));
            }
            hosts.add(List.of(add(name, null, inventories, traits(), aggregates)));
        } else {
            UUID root = add(name, null, Map.of("DISK_GB", new Inventory(4_000, 0, 1, 1_000, 1, 1.5)), traits(),
                    aggregates);
            UUID first = add(name + "-numa-0", root, Map.of("VCPU", vcpus(), "MEMORY_MB", memory()),
                    Set.of("HW_NUMA_ROOT"), Set.of());
            UUID second = add(name + "-numa-1", root, Map.of("VCPU", vcpus(), "MEMORY_MB", memory()),
                    Set.of("HW_NUMA_ROOT"), Set.of());
            UUID card = add(name + "-card", second, Map.of("SRIOV_NET_VF", new Inventory(8, 0, 1, 4, 1, 1),
                    "CUSTOM_FPGA", new Inventory(2, 1, 1, 1, 1, 1)), traits(), Set.of());
            hosts.add(List.of(root, first, second, card));
        }
    }

    private UUID add(String name, @Nullable UUID parent, Map<String, Inventory> inventories, Set<String> traits,
            Set<String> aggregates) {
        UUID uuid = uuid(random);
        providers.put(uuid, new Provider(name, parent, new TreeMap<>(inventories), new TreeSet<>(traits), aggregates));
        return uuid;
    }

    private Inventory vcpus() {
        double[] ratios = {1, 1.5, 4, 16};
        return new Inventory(16 + 16 * random.nextInt(4), random.nextInt(3), 1, 16, 1, ratios[random.nextInt(4)]);
    }

    private Inventory memory() {
        return new Inventory(65_536 + 65_536 * random.nextInt(4), 512, 1, 65_536, 1, 1);
    }

    private Set<String> traits() {
        Set<String> chosen = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            chosen.add(TRAITS.get(random.nextInt(TRAITS.size())));
        }
        return chosen;
    }

    /** Returns a consumer with allocations on at least one provider of a random host. */
    private Consumer consumer() {
        Map<UUID, Map<String, Long>> amounts = new HashMap<>();
        List<UUID> host = hosts.get(random.nextInt(hosts.size()));
        for (UUID uuid : host) {
            Map<String, Long> byClass = new HashMap<>();
            Maps.require(providers, uuid).inventories().keySet().forEach(name -> byClass.put(name, switch (name) {
                case "VCPU" -> 1L + random.nextInt(4);
                case "MEMORY_MB" -> 256L * (1 + random.nextInt(8));
                case "DISK_GB" -> 5L * (1 + random.nextInt(8));
                default -> 1L;
            }));
            if (amounts.isEmpty() || random.nextBoolean()) {
                amounts.put(uuid, Map.copyOf(byClass));
            }
        }
        return new Consumer("project-" + random.nextInt(30), "user-" + random.nextInt(50),
                CONSUMER_TYPES.get(random.nextInt(CONSUMER_TYPES.size())), Map.copyOf(amounts));
    }

    /**
     * Makes the inventories of one in {@value #PROVIDERS_PER_OVERUSED} used providers smaller than the allocations on
     * them, as if an operator had lowered capacity, units and steps later.
     */
    private void shrinkSomeInventories(Map<UUID, Consumer> consumers) {
        Set<UUID> used = new TreeSet<>();
        consumers.values().forEach(consumer -> used.addAll(consumer.amounts().keySet()));
        int number = 0;
        for (UUID uuid : used) {
            if (number++ % PROVIDERS_PER_OVERUSED == 0) {
                Provider provider = Maps.require(providers, uuid);
                SortedMap<String, Inventory> smallInventories = new TreeMap<>();
                provider.inventories().keySet()
                        .forEach(name -> smallInventories.put(name, new Inventory(2, 1, 3, 3, 2, 0.5)));
                providers.put(uuid,
                        new Provider(provider.name(), provider.parent(), smallInventories, provider.traits(),
                                provider.aggregates()));
            }
        }
    }

    /** Returns a uuid of version 4 with random bits from {@code random}. */
    private static UUID uuid(RandomGenerator random) {
        return new UUID((random.nextLong() & ~0xf000L) | 0x4000L,
                (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L);
    }
}
