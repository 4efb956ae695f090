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
 * Builds fleet views for benchmarks. Ids of resource classes: 0 VCPU, 1 MEMORY_MB, 2 DISK_GB, 3 CUSTOM_VF. Ids of
 * traits: 1 for every host, 2 for the last host of {@link #flat}, 3 to 31 for every host of {@link #zones}, 32 for
 * every tenth of them.
 */
public final class Clouds {
    public static final String EVERY_HOST = "COMPUTE_NODE";
    static final String LAST_HOST = "CUSTOM_RARE";
    static final String TENTH_HOST = "CUSTOM_TENTH";

    private final List<Provider> providers = new ArrayList<>();

    private Clouds() {}

    /** Creates hosts of one provider with 64 VCPU, of which {@code usedVcpus} are used on each. */
    static FleetView flat(int hosts, int usedVcpus) {
        Clouds cloud = new Clouds();
        for (int i = 1; i <= hosts; i++) {
            Inventories stock = stock(
                    new int[] {0, 1, 2}, new int[] {64, 262_144, 2_000}, new long[] {usedVcpus, 0, 0});
            cloud.add(i, 0, i, stock, i == hosts ? new int[] {1, 2} : new int[] {1});
        }
        return cloud.view();
    }

    /**
     * Creates hosts of one provider with 64 VCPU, 256 GiB and 2,000 GB. Each has thirty traits and is in two
     * aggregates: one of three zones, in turn, and one of forty consecutive hosts.
     *
     * @param usedVcpus the used VCPU by number of the host, from 1; 4 GiB and 20 GB are used for each of them
     */
    public static FleetView zones(int hosts, IntUnaryOperator usedVcpus) {
        Clouds cloud = new Clouds();
        for (int i = 1; i <= hosts; i++) {
            int used = usedVcpus.applyAsInt(i);
            Inventories stock = stock(
                    new int[] {0, 1, 2}, new int[] {64, 262_144, 2_000}, new long[] {used, used * 4_096L, used * 20L});
            int last = i % 10 == 0 ? 32 : 31;
            cloud.add(i, 0, i, stock, IntStream.rangeClosed(1, last).filter(id -> id != 2).toArray(),
                    new UUID(1, i % 3), new UUID(2, i / 40));
        }
        return cloud.view();
    }

    /**
     * Returns a view with copies of all providers, made in random order in groups of ten, as after reading changed
     * providers from the database. Neighboring providers are no longer adjacent in the heap.
     */
    static FleetView aged(FleetView view, Random random) {
        List<Provider> all = view.listProviders();
        Collections.shuffle(all, random);
        FleetView now = view;
        for (int from = 0; from < all.size(); from += 10) {
            List<Provider> read = all.subList(from, Math.min(from + 10, all.size())).stream()
                    .map(provider -> provider.with(
                            copy(provider.inventories()), provider.traitIds().clone(),
                            Arrays.stream(provider.aggregates())
                                    .map(one -> new UUID(one.getMostSignificantBits(), one.getLeastSignificantBits()))
                                    .toArray(UUID[]::new)))
                    .toList();
            now = now.with(read, List.of(), List.of(), List.of());
        }
        return now;
    }

    private static Inventories copy(Inventories of) {
        return new Inventories(
                of.classIds().clone(), of.total().clone(), of.reserved().clone(), of.minUnit().clone(),
                of.maxUnit().clone(), of.stepSize().clone(), of.allocationRatio().clone(), of.used().clone(),
                of.updatedAtMs());
    }

    /**
     * Creates hosts whose root has memory and disk, and whose two children have 32 VCPU each.
     *
     * @param usedVcpus the used VCPU of the first child, by number of the host, from 0
     */
    public static FleetView ofTwoNodes(int hosts, IntUnaryOperator usedVcpus) {
        Clouds cloud = new Clouds();
        for (int i = 0; i < hosts; i++) {
            int root = 3 * i + 1;
            cloud.add(root, 0, root, stock(new int[] {1, 2}, new int[] {262_144, 2_000}, new long[2]), new int[] {1});
            for (int child = 1; child <= 2; child++) {
                long used = child == 1 ? usedVcpus.applyAsInt(i) : 0;
                cloud.add(root + child, root, root, stock(new int[] {0}, new int[] {32}, new long[] {used}),
                        new int[0]);
            }
        }
        return cloud.view();
    }

    /**
     * Creates one host with that many children.
     *
     * @param deep true: each child is below the previous one; false: all are below the root
     */
    static FleetView tree(int children, boolean deep) {
        Clouds cloud = new Clouds();
        cloud.add(1, 0, 1, stock(new int[] {0}, new int[] {64}, new long[1]), new int[] {1});
        for (int i = 2; i <= children + 1; i++) {
            cloud.add(i, deep ? i - 1 : 1, 1, stock(new int[] {3}, new int[] {8}, new long[1]), new int[0]);
        }
        return cloud.view();
    }

    private static Inventories stock(int[] classIds, int[] totals, long[] used) {
        int n = classIds.length;
        int[] ones = new int[n];
        int[] noMax = new int[n];
        double[] ratios = new double[n];
        for (int i = 0; i < n; i++) {
            ones[i] = 1;
            noMax[i] = Integer.MAX_VALUE;
            ratios[i] = 1;
        }
        return new Inventories(classIds, totals, new int[n], ones, noMax, ones, ratios, used, 0);
    }

    private void add(long id, long parent, long root, Inventories stock, int[] traits, UUID... aggregates) {
        providers.add(new Provider(id, new UUID(0, id), "p" + id, 0, parent, root, 0, stock, traits, aggregates));
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
