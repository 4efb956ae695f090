package io.berth.placement.candidate.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.candidate.query.ParsedQueryCache.QueryKey;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.fleet.FleetView;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResponseCacheTest {
    private static final QueryKey ONE = new QueryKey(39, "resources=VCPU:1");
    private final ResponseCache answers = new ResponseCache(10_000);
    private final FleetView view = FleetBuilder.aFleet().root("a").inventory("VCPU", 4).view();

    @Test
    void givesAnAnswerAgain() {
        JsonBytes json = bytes(100);
        assertThat(answers.find(view, ONE)).isNull();
        answers.remember(view, ONE, json);
        assertThat(answers.find(view, new QueryKey(39, "resources=VCPU:1"))).isEqualTo(json.toByteArray());
        assertThat(answers.find(view, new QueryKey(38, "resources=VCPU:1"))).isNull();
        assertThat(answers.find(view, new QueryKey(39, "resources=VCPU:2"))).isNull();
    }

    @Test
    void keepsNothingOfAnotherView() {
        FleetView later = view.with(List.of(), List.of(), List.of(), List.of());
        answers.remember(view, ONE, bytes(1));
        assertThat(answers.find(later, ONE)).isNull();
        answers.remember(later, new QueryKey(39, "resources=VCPU:2"), bytes(1));
        assertThat(answers.find(view, ONE)).isNull();
        assertThat(answers.find(later, ONE)).isNull();
    }

    @Test
    void takesNoMoreThanItsBytes() {
        answers.remember(view, ONE, bytes(1_250));
        assertThat(answers.find(view, ONE)).as("more than an eighth").isNull();
        int kept = 0;
        for (int n = 0; n < 100; n++) {
            var key = new QueryKey(39, "resources=VCPU:" + n);
            answers.remember(view, key, bytes(800));
            kept += answers.find(view, key) == null ? 0 : 1;
        }
        // 800 of the answer, 32 or 34 of its key and 200 besides are 1,032 and 1,034: nine fit.
        assertThat(kept).isEqualTo(9);
    }

    private static JsonBytes bytes(int count) {
        return new JsonBytes().put(new byte[count]);
    }
}
