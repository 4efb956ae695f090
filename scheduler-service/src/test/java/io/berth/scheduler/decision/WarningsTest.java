package io.berth.scheduler.decision;

import static io.berth.scheduler.Written.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.AggregateInstanceExtraSpecsFilter;
import io.berth.scheduler.filter.ComputeCapabilitiesFilter;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.legacy.filter.AvailabilityZoneFilter;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Warnings about a request for zones and extra specs without effect. */
class WarningsTest {
    private static List<String> warnings(String extraSpec, HostFilter... filters) {
        RequestSpec spec = RequestSpec.of(new Flavor(null, null, null, 1, 1, 0, 0, 0, Map.of(extraSpec, "x"))).build();
        return Warnings.of(spec, new EnabledFilters(List.of(filters)), options(""));
    }

    @Test
    void warnsOfTheDefaultZoneUnlessAvailabilityZoneFilterIsEnabled() {
        RequestSpec.Builder request = RequestSpec.of(new Flavor(null, null, null, 1, 1, 0, 0, 0, Map.of()));
        EnabledFilters none = new EnabledFilters(List.of());
        assertThat(Warnings.of(request.availabilityZone("nova").build(), none, options(""))).containsExactly(
                "availability_zone nova is the zone of hosts without a zone; it excludes hosts only if an aggregate has"
                        + " this zone");
        assertThat(Warnings.of(
                request.build(), new EnabledFilters(List.of(new AvailabilityZoneFilter())), options(""))).isEmpty();
        assertThat(Warnings.of(request.availabilityZone("north").build(), none, options(""))).isEmpty();
        assertThat(Warnings.of(request.availabilityZone(null).build(), none, options(""))).isEmpty();
    }

    @Test
    void warnsOfExtraSpecsThatNoEnabledFilterReads() {
        assertThat(warnings("foo")).hasSize(1);
        assertThat(warnings("foo", new ComputeFilter(), new ComputeCapabilitiesFilter())).hasSize(1);
        assertThat(warnings("hypervisor_type", new ComputeFilter())).hasSize(1);
        assertThat(warnings("hypervisor_type", new ComputeCapabilitiesFilter())).isEmpty();
        assertThat(warnings("num_task_building", new ComputeCapabilitiesFilter())).isEmpty();
        assertThat(warnings("foo", new AggregateInstanceExtraSpecsFilter())).isEmpty();
        assertThat(warnings("foo", new OperatorsFilter())).as("a filter of an extension may read it").isEmpty();
    }

    private static final class OperatorsFilter implements HostFilter {
        @Override
        public Verdict check(HostState host, RequestSpec spec, Options options) {
            return Verdict.PASS;
        }
    }
}
