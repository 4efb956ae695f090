package io.berth.placement.candidate.response;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Builds fleet views (all resource providers of a cloud, in memory) for benchmarks. The ids of the resource classes are
 * 0 VCPU, 1 MEMORY_MB, 2 DISK_GB and 3 CUSTOM_VF. Trait 1 ({@link #EVERY_HOST}) is on every host, trait 2 ({@link
 * #LAST_HOST}) on the last host of {@link #flat}, traits 3 to 31 (CUSTOM_3 to CUSTOM_31) on every host of {@link
 * #zones}, and trait 32 ({@link #TENTH_HOST}) on every tenth host of {@link #zones}.
 */
public final class Clouds {
    public static final String EVERY_HOST = "COMPUTE_NODE";
    static final String LAST_HOST = "CUSTOM_RARE";
    static final String TENTH_HOST = "CUSTOM_TENTH";

    private final List<Provider> providers = new ArrayList<>();

    private Clouds() {}

    /**
     * Creates hosts of one provider with 64 VCPU, 256 GiB and 2,000 GB. On each host, {@code usedVcpus} VCPU are used,
     * and no memory or disk.
     */
    static FleetView flat(int hosts, int usedVcpus) {
        Clouds cloud = new Clouds();
        for (int i = 1; i <= hosts; i++) {
            Inventories inventories = createInventories(
                    new int[] {0, 1, 2}, new int[] {64, 262_144, 2_000}, new long[] {usedVcpus, 0, 0});
            cloud.add(i, 0, i, inventories, i == hosts ? new int[] {1, 2} : new int[] {1});
        }
        return cloud.view();
    }

    /**
     * Creates hosts of one provider with 64 VCPU, 256 GiB and 2,000 GB. Each has thirty traits (every tenth has one
     * more) and is in two aggregates: one of three zones, in turn, and one of forty consecutive hosts.
     *
     * @param usedVcpus returns the used VCPU of the host with a number, from 1; 4 GiB and 20 GB are used for each VCPU
     */
    public static FleetView zones(int hosts, IntUnaryOperator usedVcpus) {
        Clouds cloud = new Clouds();
        for (int i = 1; i <= hosts; i++) {
            int used = usedVcpus.applyAsInt(i);
            Inventories inventories = createInventories(
                    new int[] {0, 1, 2}, new int[] {64, 262_144, 2_000}, new long[] {used, used * 4_096L, used * 20L});
            int last = i % 10 == 0 ? 32 : 31;
            cloud.add(i, 0, i, inventories, IntStream.rangeClosed(1, last).filter(id -> id != 2).toArray(),
                    new UUID(1, i % 3), new UUID(2, i / 40));
        }
        return cloud.view();
    }

    /**
     * Returns a view with copies of all providers. They are copied in random order in groups of ten, as after changed
     * providers were read from the database, so that successive providers are not adjacent in the heap.
     */
    static FleetView aged(FleetView view, Random random) {
        List<Provider> all = view.listProviders();
        Collections.shuffle(all, random);
        FleetView copiedView = view;
        for (int from = 0; from < all.size(); from += 10) {
            List<Provider> copies = all.subList(from, Math.min(from + 10, all.size())).stream()
                    .map(provider -> provider.with(
                            copy(provider.inventories()), provider.traitIds().clone(),
                            Arrays.stream(provider.aggregates())
                                    .map(uuid -> new UUID(uuid.getMostSignificantBits(),
                                            uuid.getLeastSignificantBits()))
                                    .toArray(UUID[]::new)))
                    .toList();
            copiedView = copiedView.with(copies, List.of(), List.of(), List.of());
        }
        return copiedView;
    }

    private static Inventories copy(Inventories inventories) {
        return new Inventories(
                inventories.classIds().clone(), inventories.total().clone(), inventories.reserved().clone(),
                inventories.minUnit().clone(), inventories.maxUnit().clone(), inventories.stepSize().clone(),
                inventories.allocationRatio().clone(), inventories.used().clone(),
                inventories.updatedAtMs());
    }

    /**
     * Creates hosts whose root has 256 GiB and 2,000 GB, and whose two children have 32 VCPU each. Only VCPU of the
     * first child are used.
     *
     * @param usedVcpus returns the used VCPU of the first child of the host with a number, from 0
     */
    public static FleetView withTwoChildren(int hosts, IntUnaryOperator usedVcpus) {
        Clouds cloud = new Clouds();
        for (int i = 0; i < hosts; i++) {
            int root = 3 * i + 1;
            cloud.add(root, 0, root, createInventories(new int[] {1, 2}, new int[] {262_144, 2_000}, new long[2]),
                    new int[] {1});
            for (int child = 1; child <= 2; child++) {
                long used = child == 1 ? usedVcpus.applyAsInt(i) : 0;
                cloud.add(root + child, root, root, createInventories(new int[] {0}, new int[] {32}, new long[] {used}),
                        new int[0]);
            }
        }
        return cloud.view();
    }

    /**
     * Creates one host, whose root has 64 VCPU, with {@code children} further providers of 8 CUSTOM_VF each. Nothing is
     * used.
     *
     * @param deep true if each further provider is the child of the previous one; false if all are children of the root
     */
    static FleetView tree(int children, boolean deep) {
        Clouds cloud = new Clouds();
        cloud.add(1, 0, 1, createInventories(new int[] {0}, new int[] {64}, new long[1]), new int[] {1});
        for (int i = 2; i <= children + 1; i++) {
            cloud.add(i, deep ? i - 1 : 1, 1, createInventories(new int[] {3}, new int[] {8}, new long[1]), new int[0]);
        }
        return cloud.view();
    }

    private static Inventories createInventories(int[] classIds, int[] totals, long[] used) {
        int classCount = classIds.length;
        int[] ones = new int[classCount];
        int[] noMax = new int[classCount];
        double[] ratios = new double[classCount];
        for (int i = 0; i < classCount; i++) {
            ones[i] = 1;
            noMax[i] = Integer.MAX_VALUE;
            ratios[i] = 1;
        }
        return new Inventories(classIds, totals, new int[classCount], ones, noMax, ones, ratios, used, 0);
    }

    /**
     * Adds a provider.
     *
     * @param parent id of the parent; 0 for a root
     * @param root id of the root; {@code id} for a root
     */
    private void add(long id, long parent, long root, Inventories inventories, int[] traits, UUID... aggregates) {
        providers.add(new Provider(id, new UUID(0, id), "p" + id, 0, parent, root, 0, inventories, traits, aggregates));
    }

    private FleetView view() {
        List<NameCatalogue.Entry> traits = new ArrayList<>(List.of(
                new NameCatalogue.Entry(1, EVERY_HOST, 0), new NameCatalogue.Entry(2, LAST_HOST, 0)));
        traits.add(new NameCatalogue.Entry(32, TENTH_HOST, 0));
        IntStream.rangeClosed(3, 31).forEach(id -> traits.add(new NameCatalogue.Entry(id, "CUSTOM_" + id, 0)));
        return FleetView.empty().with(
                providers, List.of(),
                List.of(new NameCatalogue.Entry(0, "VCPU", 0), new NameCatalogue.Entry(1, "MEMORY_MB", 0),
                        new NameCatalogue.Entry(2, "DISK_GB", 0), new NameCatalogue.Entry(3, "CUSTOM_VF", 0)),
                traits);
    }
}
