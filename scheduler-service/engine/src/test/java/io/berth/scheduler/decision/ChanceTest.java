package io.berth.scheduler.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.host.HostState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the random selection of hosts and alternates. */
class ChanceTest {
    private final SplittableRandom random = new SplittableRandom(20_261_121);

    private static List<HostState> hosts(int count) {
        return IntStream.range(0, count).mapToObj(i -> HostState.named("host-" + i).build()).toList();
    }

    private static List<String> names(List<HostState> hosts) {
        return hosts.stream().map(HostState::host).toList();
    }

    @Test
    void repeatsNoHostWhileThereAreEnough() {
        for (int i = 0; i < 200; i++) {
            List<List<HostState>> lists = Chance.select(hosts(5), 5, 1, random);
            assertThat(lists).hasSize(5).allSatisfy(list -> assertThat(list).hasSize(1));
            assertThat(lists.stream().map(list -> list.getFirst().host()))
                    .containsExactlyInAnyOrder("host-0", "host-1", "host-2", "host-3", "host-4");
        }
    }

    @Test
    void drawsIndependentlyIfThereAreFewerHosts() {
        Map<String, Integer> counts = new HashMap<>();
        Chance.select(hosts(2), 1_000, 1, random)
                .forEach(list -> counts.merge(list.getFirst().host(), 1, Integer::sum));
        assertThat(counts).hasSize(2).allSatisfy((host, count) -> assertThat(count).isBetween(400, 600));
    }

    @Test
    void favorsNoHost() {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 4_000; i++) {
            counts.merge(Chance.select(hosts(4), 1, 1, random).getFirst().getFirst().host(), 1, Integer::sum);
        }
        assertThat(counts).hasSize(4).allSatisfy((host, count) -> assertThat(count).isBetween(850, 1_150));
    }

    @Test
    void addsDistinctAlternatesThatAreNotSelected() {
        for (int i = 0; i < 200; i++) {
            List<List<HostState>> lists = Chance.select(hosts(4), 2, 3, random);
            List<String> selected = lists.stream().map(list -> list.getFirst().host()).toList();
            assertThat(lists).allSatisfy(list -> {
                assertThat(names(list)).hasSize(3).doesNotHaveDuplicates();
                assertThat(names(list.subList(1, 3))).doesNotContainAnyElementsOf(selected);
            });
        }
    }

    @Test
    void returnsFewerAlternatesIfHostsRunOut() {
        assertThat(Chance.select(hosts(2), 1, 3, random).getFirst()).hasSize(2);
        assertThat(Chance.select(hosts(2), 2, 3, random)).allSatisfy(list -> assertThat(list).hasSize(1));
    }
}
