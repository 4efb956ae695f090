package io.berth.scheduler.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the gauges of capacity watches, and how watches share analyses. */
class WatchesTest {
    private static final String COUNTED = "{\"complete\": true, \"zones\": {\"nova\": 3}}";
    private static final Map<String, WatchStore.Watch> LISTED = Map.of(
            "known", new WatchStore.Watch("{\"request_spec\": {\"flavor\": {\"vcpus\": 1}}}", COUNTED),
            "newer", new WatchStore.Watch("{\"request_spec\": {\"flavor\": {\"vcpus\": 1}}, \"newer\": 1}", COUNTED));

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Watches watches = new Watches(Duration.ofSeconds(15), null, null, meters);

    @Test
    void publishesNoGaugeOfAWatchFromANewerVersion() {
        watches.publish(watches.readable(LISTED));
        assertThat(meters.getMeters()).extracting(Meter::getId).extracting(id -> id.getTag("watch"))
                .containsExactly("known");
    }

    @Test
    void limitsTheNumberOfGaugesOfAllWatches() {
        String zones = IntStream.range(0, 3_000).mapToObj("\"zone-%d\": 1"::formatted).collect(Collectors.joining(","));
        String long256 = "z".repeat(256);
        String counted = "{\"complete\": true, \"zones\": {\"" + long256 + "\": 1, " + zones + "}}";
        Map<String, WatchStore.Watch> listed = IntStream.range(0, 10).boxed()
                .collect(Collectors.toMap("watch-%d"::formatted, _ -> new WatchStore.Watch("{}", counted)));
        watches.publish(listed);
        assertThat(meters.getMeters()).hasSize(Watches.GAUGES_MAX)
                .allSatisfy(meter -> assertThat(meter.getId().getTag("zone")).startsWith("zone-"));
    }

    @Test
    void combinesFastWatchesInOneAnalysis() {
        String body = "{}";
        Map<String, WatchStore.Watch> listed = new LinkedHashMap<>();
        listed.put("new", new WatchStore.Watch(body, null));
        listed.put("a", new WatchStore.Watch(body, "{\"complete\": true, \"method\": \"each_host\"}"));
        listed.put("cut", new WatchStore.Watch(body, "{\"complete\": false, \"method\": \"each_host\"}"));
        listed.put("slow", new WatchStore.Watch(body, "{\"complete\": true, \"method\": \"one_by_one\"}"));
        listed.put("b", listed.get("a"));
        assertThat(Watches.splitIntoAnalyses(listed)).extracting(Map::keySet)
                .containsExactly(Set.of("a", "b"), Set.of("new"), Set.of("cut"), Set.of("slow"));
    }

    @Test
    void logsAnUnreadableWatchOnce() {
        List<String> logged = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger(Watches.class.getName());
        log.addHandler(handler);
        try {
            for (int i = 0; i < 3; i++) {
                assertThat(watches.readable(LISTED)).containsOnlyKeys("known");
            }
        } finally {
            log.removeHandler(handler);
        }
        assertThat(logged).hasSize(1);
    }
}
