package io.berth.scheduler.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.JsonBody;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class WatchesTest {
    private static final JsonNode COUNTED = json("{\"complete\": true, \"zones\": {\"nova\": 3}}");
    private static final Map<String, WatchStore.Watch> LISTED = Map.of(
            "known", new WatchStore.Watch(json("{\"request_spec\": {\"flavor\": {\"vcpus\": 1}}}"), COUNTED),
            "newer", new WatchStore.Watch(json("{\"request_spec\": {\"flavor\": {\"vcpus\": 1}}, \"newer\": 1}"), COUNTED));

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Watches watches = new Watches(Duration.ofSeconds(15), null, null, meters);

    private static JsonNode json(String text) {
        return JsonBody.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void showsNothingOfAWatchThatANewerVersionWrote() {
        watches.publish(watches.readable(LISTED));
        assertThat(meters.getMeters()).extracting(Meter::getId).extracting(id -> id.getTag("watch")).containsExactly("known");
    }

    @Test
    void countsTogetherWhatDidNotTakeLong() {
        JsonNode body = json("{}");
        Map<String, WatchStore.Watch> listed = new LinkedHashMap<>();
        listed.put("new", new WatchStore.Watch(body, null));
        listed.put("a", new WatchStore.Watch(body, json("{\"complete\": true, \"method\": \"each_host\"}")));
        listed.put("cut", new WatchStore.Watch(body, json("{\"complete\": false, \"method\": \"each_host\"}")));
        listed.put("slow", new WatchStore.Watch(body, json("{\"complete\": true, \"method\": \"one_by_one\"}")));
        listed.put("b", listed.get("a"));
        assertThat(Watches.parts(listed)).extracting(Map::keySet)
                .containsExactly(Set.of("a", "b"), Set.of("new"), Set.of("cut"), Set.of("slow"));
    }

    @Test
    void saysOnceThatItDoesNotUnderstandAWatch() {
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
