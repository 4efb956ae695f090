package io.berth.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Parses one query with {@link PromQl}, which checks the queries of dashboards and rules. */
class PromQlTest {
    @Test
    void parsesMetricsMatchersAndGroups() {
        PromQl query = PromQl.parse("""
                histogram_quantile(0.99, sum by (le, part) (rate(a_bucket{x="1",y=~"b|c"}[5m])))
                  > 0.2 * sum(increase(b_total[$__rate_interval])) or c != c
                """);
        assertThat(query.selectors()).extracting(PromQl.Selector::metric)
                .containsExactly("a_bucket", "b_total", "c", "c");
        assertThat(query.selectors().getFirst().equal()).isEqualTo(Map.of("x", "1"));
        assertThat(query.selectors().getFirst().labels()).isEqualTo(Set.of("x", "y"));
        assertThat(query.groupedBy()).isEqualTo(Set.of("le", "part"));
    }
}
