package io.berth.scheduler.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.filter.AggregateInstanceExtraSpecsFilter;
import io.berth.scheduler.filter.ComputeCapabilitiesFilter;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WarningsTest {
    private static List<String> warnings(String extraSpec, HostFilter... filters) {
        RequestSpec spec = RequestSpec.of(new Flavor(null, null, null, 1, 1, 0, 0, 0, Map.of(extraSpec, "x"))).build();
        return Warnings.of(spec, new EnabledFilters(List.of(filters)));
    }

    @Test
    void knowsWhoReadsAnExtraSpecWithoutAPrefix() {
        assertThat(warnings("foo")).hasSize(1);
        assertThat(warnings("foo", new ComputeFilter(), new ComputeCapabilitiesFilter())).hasSize(1);
        assertThat(warnings("hypervisor_type", new ComputeFilter())).hasSize(1);
        assertThat(warnings("hypervisor_type", new ComputeCapabilitiesFilter())).isEmpty();
        assertThat(warnings("num_task_building", new ComputeCapabilitiesFilter())).isEmpty();
        assertThat(warnings("foo", new AggregateInstanceExtraSpecsFilter())).isEmpty();
        assertThat(warnings("foo", new OperatorsFilter())).as("of an extension").isEmpty();
    }

    private static final class OperatorsFilter implements HostFilter {
        @Override
        public Verdict check(HostState host, RequestSpec spec, Options options) {
            return Verdict.PASS;
        }
    }
}
