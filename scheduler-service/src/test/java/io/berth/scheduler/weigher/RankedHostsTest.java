package io.berth.scheduler.weigher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.process.Seed;
import io.berth.scheduler.host.HostState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the list of ranked hosts, which is sorted only as far as it is read. */
class RankedHostsTest {
    @Test
    void equalsTheSortedListWhateverIsReadFirst() {
        long seed = Seed.of(RankedHostsTest.class);
        var random = new Random(seed);
        for (int run = 0; run < 300; run++) {
            int count = random.nextInt(run % 10 == 0 ? 500 : 40);
            List<HostState> hosts = new ArrayList<>();
            double[] weights = new double[count];
            for (int i = 0; i < count; i++) {
                hosts.add(HostState.named("h" + i).build());
                weights[i] = switch (random.nextInt(8)) {
                    case 0 -> 0.0;
                    case 1 -> -0.0;
                    case 2 -> Double.NaN;
                    case 3 -> Double.NEGATIVE_INFINITY;
                    default -> random.nextInt(5) - 2;
                };
            }
            var ranked = new RankedHosts(hosts, weights);
            List<String> expected = sorted(hosts, weights);
            for (int reads = random.nextInt(4); reads > 0 && count > 0; reads--) {
                int rank = random.nextInt(count);
                assertThat(ranked.get(rank).host().host()).as("seed %d rank %d", seed, rank)
                        .isEqualTo(expected.get(rank));
                assertThat(ranked.get(rank)).isSameAs(ranked.get(rank));
            }
            assertThat(ranked.stream().map(each -> each.host().host()).toList()).as("seed %d", seed)
                    .isEqualTo(expected);
        }
    }

    @Test
    void hasNoRankAfterTheLast() {
        var ranked = new RankedHosts(List.of(HostState.named("a").build()), new double[] {1});

        assertThat(ranked).hasSize(1);
        assertThatThrownBy(() -> ranked.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** Sorts stably, with both zeros equal and NaN last. */
    private static List<String> sorted(List<HostState> hosts, double[] weights) {
        var ranked = new ArrayList<RankedHost>();
        for (int i = 0; i < weights.length; i++) {
            ranked.add(new RankedHost(hosts.get(i), weights[i], i));
        }
        ranked.sort(Comparator.comparingDouble((RankedHost each) -> each.weight() == 0 ? 0 : -each.weight()));
        return ranked.stream().map(each -> each.host().host()).toList();
    }
}
