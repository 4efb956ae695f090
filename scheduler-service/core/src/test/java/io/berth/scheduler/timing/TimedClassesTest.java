package io.berth.scheduler.timing;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.decision.StageTimes;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.JsonFilter;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.RAMWeigher;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the metrics of filters and weighers. */
class TimedClassesTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private static final class SlowFilter implements HostFilter {
        @Override
        public Verdict check(HostState host, RequestSpec spec, Options options) {
            long until = System.nanoTime() + 1_000_000;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            return host.host().equals("h2") ? Verdict.reject("no", "no") : Verdict.PASS;
        }
    }

    @Test
    void countsCallsAndTimePerClassAndPerRequest() {
        var filters = new EnabledFilters(
                List.of(new ComputeFilter(), new SlowFilter(), new SlowFilter(), new JsonFilter()));
        var weighers = new EnabledWeighers(List.of(new RAMWeigher()));
        StageTimes times = new TimedClasses(meters).stages(filters, weighers);
        var phases = new Phases();
        var inputs = new SchedulingInputs(
                Options.DEFAULTS, filters, weighers, new Random(1), SchedulingInputs.Detail.COUNTS, phases.and(times));
        List<HostState> hosts = List.of(host("h1"), host("h2"), host("h3"));

        Decision.decide(
                RequestSpec.of(new Flavor(1L, "m", "m", 1, 1, 0, 0, 0, Map.of())).build(), hosts, false, inputs);

        assertThat(count("filter", "ComputeFilter", "calls")).isEqualTo(3);
        assertThat(count("filter", "SlowFilter", "calls")).as("enabled twice").isEqualTo(3 + 2);
        assertThat(count("filter", "JsonFilter", "calls")).as("asks for nothing").isEqualTo(2);
        assertThat(count("weigher", "RAMWeigher", "calls")).isEqualTo(2);
        assertThat(count("filter", "SlowFilter", "time")).isGreaterThanOrEqualTo(0.005);
        assertThat(count("weigher", "RAMWeigher", "time")).isPositive();
        assertThat(phases.nanos(Phases.Phase.FILTER)).isGreaterThanOrEqualTo(5_000_000);
        assertThat(phases.nanos(Phases.Phase.WEIGH)).isPositive();
    }

    private double count(String kind, String name, String of) {
        return meters.get("berth." + kind + "." + of).tag(kind, name).functionCounter().count();
    }

    private static HostState host(String name) {
        return HostState.named(name).build();
    }
}
