package io.berth.scheduler.pci;

import static io.berth.scheduler.pci.PciBuilders.aPool;
import static io.berth.scheduler.pci.PciBuilders.aRequest;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.pci.PciBuilders.Pool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests properties of taking PCI devices with random pools and requests; a failure names its seed. */
class PciPropertiesTest {
    private static final int SEEDS = 20_000;

    @Test
    void takesTheRequestedNumberAndLeavesNoEmptyPool() {
        int satisfied = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            PciStats stats = somePools(random, "type-PF");
            List<PciRequest> requests = IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(each -> someRequest(random))
                    .toList();
            Optional<PciStats> after = stats.take(requests, Map.of(), someCells(random));
            if (after.isPresent()) {
                satisfied++;
                int wanted = requests.stream().mapToInt(PciRequest::count).sum();
                assertThat(after.get().deviceCount()).as("seed %d", seed).isEqualTo(stats.deviceCount() - wanted);
                assertThat(after.get().pools()).as("seed %d", seed).allMatch(pool -> pool.count() > 0);
            }
        }
        assertThat(satisfied).as("the generator makes both outcomes").isBetween(SEEDS / 5, SEEDS * 4 / 5);
    }

    /** Excludes whole adapters, which are dropped after near devices were preferred, so that too few may be left. */
    @Test
    void satisfiesOneRequestIfAndOnlyIfEnoughDevicesQualify() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            PciStats stats = somePools(random, "type-PCI");
            PciRequest request = someRequest(random);
            CellAffinity cells = someCells(random);
            long qualifying = stats.pools().stream()
                    .filter(pool -> qualifies(pool, request, cells))
                    .mapToLong(PciPool::count)
                    .sum();
            assertThat(stats.take(List.of(request), Map.of(), cells).isPresent())
                    .as("seed %d: %s of %s near %s", seed, request, stats, cells)
                    .isEqualTo(qualifying >= request.count());
        }
    }

    /** Checks affinity as loosely as the policy allows; a socket is one cell here. */
    private static boolean qualifies(PciPool pool, PciRequest request, CellAffinity cells) {
        Map<String, ?> spec = request.spec().getFirst();
        boolean rightDevice = pool.productId().equals(spec.get("product_id"))
                && (!spec.containsKey("dev_type") || spec.get("dev_type").equals(pool.tags().get("dev_type")));
        boolean anywhere = cells.cells().isEmpty() || request.numaPolicy() == PciNumaPolicy.PREFERRED;
        boolean onCell = pool.numaNode() != null && cells.cells().contains(pool.numaNode());
        boolean unknownCell = pool.numaNode() == null && request.numaPolicy() == PciNumaPolicy.LEGACY;
        return rightDevice && (anywhere || onCell || unknownCell);
    }

    private static PciStats somePools(Random random, String rarerType) {
        return new PciStats(IntStream.range(0, random.nextInt(6))
                .mapToObj(each -> somePool(random, rarerType))
                .toList());
    }

    private static PciPool somePool(Random random, String rarerType) {
        Pool pool = aPool(1 + random.nextInt(4))
                .product(random.nextInt(3) == 0 ? "beef" : "1520")
                .node(random.nextInt(3) == 0 ? null : random.nextInt(2));
        return (random.nextBoolean() ? pool : pool.tags("dev_type", random.nextInt(3) == 0 ? rarerType : "type-VF"))
                .build();
    }

    private static PciRequest someRequest(Random random) {
        Map<String, ?> any = Map.of("product_id", "1520");
        Map<String, ?> typed = Map.of("product_id", "1520", "dev_type", random.nextInt(3) == 0 ? "type-PF" : "type-VF");
        return aRequest(1 + random.nextInt(3))
                .spec(random.nextInt(3) == 0 ? typed : any)
                .policy(PciNumaPolicy.values()[random.nextInt(PciNumaPolicy.values().length)])
                .build();
    }

    private static CellAffinity someCells(Random random) {
        int cell = random.nextInt(3);
        return cell == 2 ? CellAffinity.ANYWHERE : new CellAffinity(Set.of(cell), Set.of(cell));
    }
}
