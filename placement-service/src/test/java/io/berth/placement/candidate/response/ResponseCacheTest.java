package io.berth.placement.candidate.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.candidate.query.ParsedQueryCache.QueryKey;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.fleet.FleetView;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the cache of rendered candidate responses. */
class ResponseCacheTest {
    private static final QueryKey ONE = new QueryKey(39, "resources=VCPU:1");
    private final ResponseCache cache = new ResponseCache(10_000);
    private final FleetView view = FleetBuilder.aFleet().root("a").inventory("VCPU", 4).view();

    @Test
    void returnsACachedResponse() {
        JsonBytes json = bytes(100);
        assertThat(cache.find(view, ONE)).isNull();
        cache.remember(view, ONE, json);
        assertThat(cache.find(view, new QueryKey(39, "resources=VCPU:1"))).isEqualTo(json.toByteArray());
        assertThat(cache.find(view, new QueryKey(38, "resources=VCPU:1"))).isNull();
        assertThat(cache.find(view, new QueryKey(39, "resources=VCPU:2"))).isNull();
    }

    @Test
    void dropsResponsesOfOtherViews() {
        FleetView later = view.with(List.of(), List.of(), List.of(), List.of());
        cache.remember(view, ONE, bytes(1));
        assertThat(cache.find(later, ONE)).isNull();
        cache.remember(later, new QueryKey(39, "resources=VCPU:2"), bytes(1));
        assertThat(cache.find(view, ONE)).isNull();
        assertThat(cache.find(later, ONE)).isNull();
    }

    @Test
    void staysWithinItsByteLimit() {
        cache.remember(view, ONE, bytes(1_250));
        assertThat(cache.find(view, ONE)).as("larger than an eighth of the cache").isNull();
        int kept = 0;
        for (int n = 0; n < 100; n++) {
            var key = new QueryKey(39, "resources=VCPU:" + n);
            cache.remember(view, key, bytes(800));
            kept += cache.find(view, key) == null ? 0 : 1;
        }
        // An entry takes 800 bytes for the response, 32 or 34 for its key and 200 of overhead: nine fit.
        assertThat(kept).isEqualTo(9);
    }

    private static JsonBytes bytes(int count) {
        return new JsonBytes().put(new byte[count]);
    }
}
