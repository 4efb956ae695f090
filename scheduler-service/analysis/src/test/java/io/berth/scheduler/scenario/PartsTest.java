package io.berth.scheduler.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.JsonBody;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the differences between two responses that do not cover the same items. */
class PartsTest {
    private static final String PLACED = "{'hosts': [{'host': 'a'}]}";
    private static final String REFUSED = "{'hosts': [], 'code': 'scheduler.no_valid_host'}";

    private static JsonNode json(String text) {
        return JsonBody.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** The first host is gone, so the page after the change covers a host that the page before did not reach. */
    @Test
    void comparesOnlyHostsThatBothPagesCover() {
        JsonNode before =
                json("[{'name': 'f', 'count': 12, 'by': {'zone': {'z': 12}, 'host': {'a': 3, 'b': 3}}, 'next_marker':"
                        + " 'b'}]");
        JsonNode after = json(
                "[{'name': 'f', 'count': 9, 'by': {'zone': {'z': 9}, 'host': {'b': 3, 'c': 3}}, 'next_marker': 'c'}]");
        JsonNode last = json("[{'name': 'f', 'count': 9, 'by': {'zone': {'z': 9}, 'host': {'b': 3, 'c': 3, 'd': 3}}}]");
        CapacityPart part = new CapacityPart(null);

        assertThat(part.difference(before, after, null)).hasToString(
                json("[{'name': 'f', 'count': -3, 'by': {'zone': {'z': -3}, 'host': {'a': -3}}, 'next_marker': 'b'}]")
                        .toString());
        assertThat(part.difference(before, last, null)).isEqualTo(part.difference(before, after, null));
        assertThat(part.difference(last, last, null)).hasToString(
                json("[{'name': 'f', 'count': 0, 'by': {'zone': {}, 'host': {}}}]").toString());
    }

    /** The state after the change is evaluated first, so there was less time for the one before. */
    @Test
    void omitsCountsThatWereCutByTime() {
        JsonNode cut = json("[{'name': 'f', 'count': 120, 'complete': false}]");
        JsonNode whole = json("[{'name': 'f', 'count': 500, 'complete': true}]");
        CapacityPart part = new CapacityPart(null);

        JsonNode nothing = json("[{'name': 'f', 'complete': false}]");
        assertThat(part.difference(cut, whole, null)).isEqualTo(nothing);
        assertThat(part.difference(whole, cut, null)).isEqualTo(nothing);
    }

    /** Three requests were evaluated before the change, and only one after it. */
    @Test
    void ignoresRequestsEvaluatedOnlyOnce() {
        JsonNode before = json("[" + REFUSED + "," + PLACED + "," + PLACED + "]");
        JsonNode after = json("[" + PLACED + "]");

        assertThat(new PlacementsPart(List.of()).difference(before, after, null).path("placed").asInt()).isEqualTo(1);
        JsonNode replayed = new ReplayPart(List.of(), 1).difference(
                json("{'instances_placed': 2, 'hosts_used': 1, 'placements': " + before + "}"),
                json("{'instances_placed': 1, 'hosts_used': 1, 'placements': " + after + "}"), null);
        assertThat(replayed.path("instances_placed").asInt()).isEqualTo(1);
        assertThat(replayed.path("hosts_used").asInt()).isEqualTo(1);
    }

    @Test
    void ignoresInstancesEvaluatedOnlyOnce() {
        JsonNode before = json("""
                {'placed': 1, 'not_placed': 2, 'instances': [
                  {'instance': 'i', 'host': null}, {'instance': 'j', 'host': 'a'}, {'instance': 'k', 'host': null}]}""");
        JsonNode after = json("{'placed': 1, 'not_placed': 0, 'instances': [{'instance': 'i', 'host': 'b'}]}");

        JsonNode difference = new DrainPart(null, null).difference(before, after, null);

        assertThat(difference.path("placed").asInt()).isEqualTo(1);
        assertThat(difference.path("not_placed").asInt()).isEqualTo(-1);
        assertThat(difference.path("elsewhere").asInt()).isEqualTo(1);
    }
}
