package io.berth.scheduler.decision;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.ImagePropertiesFilter;
import io.berth.scheduler.filter.NUMATopologyFilter;
import io.berth.scheduler.filter.PciPassthroughFilter;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.legacy.filter.CoreFilter;
import io.berth.scheduler.legacy.filter.RamFilter;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.RAMWeigher;
import io.berth.scheduler.weigher.RankedHost;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Candidates that are created when they are read: a round does not read them for hosts that it does not claim on. */
class LateCandidatesTest {
    private final AtomicInteger made = new AtomicInteger();

    @Test
    void aRoundReadsNoCandidatesAndKeepsTheFactsOfItsHosts() {
        List<HostState> hosts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            HostState known = host("host: 'h%d', vcpus_total: 8, free_ram_mb: %d, total_usable_ram_mb: 9000"
                    .formatted(i, 5000 + i));
            hosts.add(known.withCandidates(new Late()));
        }
        var inputs = new SchedulingInputs(
                Options.DEFAULTS,
                new EnabledFilters(List.of(
                        new ComputeFilter(), new ImagePropertiesFilter(), new CoreFilter(), new RamFilter(),
                        new NUMATopologyFilter(), new PciPassthroughFilter())),
                new EnabledWeighers(List.of(new RAMWeigher())),
                new Random(1),
                SchedulingInputs.Detail.COUNTS);

        List<RankedHost> attempts = Scheduling.begin(request(""), hosts, inputs).round().attempts();

        assertThat(attempts).hasSize(10);
        HostState first = attempts.getFirst().host();
        assertThat(first.facts()).as("the host with limits shares the facts of the original")
                .isSameAs(hosts.get(9).facts());
        assertThat(first.limits().memoryMb()).isEqualTo(9000);
        assertThat(made).hasValue(0);
        assertThat(first.allocationCandidates()).containsExactly(AllocationCandidate.NONE);
        assertThat(made).hasPositiveValue();
    }

    private final class Late extends AbstractList<AllocationCandidate> {
        @Override
        public AllocationCandidate get(int index) {
            made.incrementAndGet();
            return AllocationCandidate.NONE;
        }

        @Override
        public int size() {
            return 1;
        }
    }
}
