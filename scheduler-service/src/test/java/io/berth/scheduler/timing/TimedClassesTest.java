package io.berth.scheduler.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.HostFilter;
import io.berth.scheduler.filter.Verdict;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimedClassesTest {
    private static final int CALLS = 64_000;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private static final class SlowFilter implements HostFilter, Repeatable {
        private int calls;

        @Override
        public boolean runsOnRebuild() {
            return true;
        }

        @Override
        public Verdict check(HostState host, RequestSpec spec, Options options) {
            calls++;
            long until = System.nanoTime() + 1_000;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            return Verdict.PASS;
        }
    }

    private static final class PlainFilter implements HostFilter {
        @Override
        public Verdict check(HostState host, RequestSpec spec, Options options) {
            return Verdict.PASS;
        }
    }

    @Test
    void aShellAnswersAsItsFilterAndKeepsItsMark() {
        List<HostFilter> timed = new TimedClasses(meters)
                .filters(new EnabledFilters(List.of(new SlowFilter(), new PlainFilter())))
                .inOrder();
        assertThat(timed).extracting(HostFilter::name).containsExactly("SlowFilter", "PlainFilter");
        assertThat(timed).extracting(HostFilter::runsOnRebuild).containsExactly(true, false);
        assertThat(timed).extracting(filter -> filter instanceof Repeatable).containsExactly(true, false);
        assertThat(timed.getFirst().check(null, null, null)).isSameAs(Verdict.PASS);
    }

    @Test
    void theEstimateOfCallsAndTimeIsNearTheTruth() {
        var slow = new SlowFilter();
        HostFilter timed = new TimedClasses(meters).filters(new EnabledFilters(List.of(slow))).inOrder().getFirst();
        for (int i = 0; i < CALLS; i++) {
            timed.check(null, null, null);
        }
        assertThat(slow.calls).isEqualTo(CALLS);
        // A thousand samples: a quarter is eight standard deviations.
        double calls = meters.get("berth.filter.calls").tag("filter", "SlowFilter").functionCounter().count();
        assertThat(calls).isCloseTo(CALLS, within(CALLS / 4.0));
        double seconds = meters.get("berth.filter.time").tag("filter", "SlowFilter").functionCounter().count();
        assertThat(seconds / calls).isGreaterThanOrEqualTo(1e-6);
    }
}
