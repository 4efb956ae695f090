package io.berth.scheduler.endtoend;

import static io.berth.deploy.process.Await.eventually;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.process.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares analyses of random clouds with real requests: counts, verdicts, sets of changes that admit a host, and the
 * obstacles of each host in a refused decision. {@code -Dberth.test.clouds} sets the number of clouds,
 * {@code -Dberth.test.seed} the seed of the first.
 */
@Tag("process")
class CorrectResponsesIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CLOUDS = Integer.getInteger("berth.test.clouds", 1);
    private static final long SEED = Seed.of(CorrectResponsesIT.class);
    private static final int COUNTED_MAX = 40;
    private static final String OPTIONS = """
            [DEFAULT]
            service_down_time = 86400
            [filter_scheduler]
            enabled_filters = ComputeFilter, ComputeCapabilitiesFilter, ImagePropertiesFilter,
                AggregateInstanceExtraSpecsFilter, AggregateMultiTenancyIsolation, AggregateNumInstancesFilter,
                ServerGroupAffinityFilter, ServerGroupAntiAffinityFilter, NUMATopologyFilter, PciPassthroughFilter
            [pci]
            alias = {"name": "gpu", "vendor_id": "10de", "product_id": "10d8"}
            """;

    private static Region region;

    @BeforeAll
    static void start() {
        region = Region.start(1, OPTIONS);
    }

    @AfterAll
    static void stop() {
        region.close();
    }

    @Test
    void analysesAgreeWithRealRequests() {
        var softly = new SoftAssertions();
        for (int i = 0; i < CLOUDS; i++) {
            try (OddCloud cloud = new OddCloud(region, SEED + i)) {
                check(cloud, softly);
            }
        }
        softly.assertAll();
    }

    private static void check(OddCloud cloud, SoftAssertions softly) {
        Map<String, JsonNode> explained = verdicts(cloud, softly);
        count(cloud, softly);
        // The next step moves instances to make room, and they stay there; hence it comes last.
        for (OddCloud.Host host : cloud.hosts) {
            if (explained.get(host.name()).path("verdict").asText().equals("rejected")) {
                assertAdmittedBy(cloud, host, softly);
            }
        }
    }

    /** Repeats the request while the fleet changes. */
    private static JsonNode complete(String path, ObjectNode body) {
        AtomicReference<JsonNode> answer = new AtomicReference<>();
        eventually("a complete response of " + path, () -> {
            answer.set(OddCloud.read(region.scheduler(0).body(body.toString()).post(path)));
            return answer.get().path("complete").asBoolean();
        });
        return answer.get();
    }

    private static JsonNode explain(ObjectNode request, List<OddCloud.Host> hosts) {
        ObjectNode body = JSON.createObjectNode().put("timeout_s", 60);
        body.set("request_spec", request);
        hosts.forEach(host -> body.withArray("hosts").add(host.name()));
        return complete("/v1/explanations", body);
    }

    /**
     * Explanations by host, each compared with a real placement. If no host admits the request, the refused decision
     * must list obstacles for each host.
     */
    private static Map<String, JsonNode> verdicts(OddCloud cloud, SoftAssertions softly) {
        Map<String, JsonNode> verdicts = new HashMap<>();
        boolean any = false;
        JsonNode answer = explain(cloud.request, cloud.hosts);
        for (int i = 0; i < cloud.hosts.size(); i++) {
            JsonNode reported = answer.path("hosts").get(i);
            String about = cloud + ": " + reported;
            boolean admits = cloud.admits(cloud.request, cloud.hosts.get(i));
            softly.assertThat(!reported.path("verdict").asText().equals("rejected")).as(about).isEqualTo(admits);
            softly.assertThat(reported.path("obstacles").isEmpty()).as(about).isEqualTo(admits);
            reported.path("obstacles")
                    .forEach(each -> softly.assertThat(each.path("text").asText()).as(about).isNotBlank());
            verdicts.put(reported.path("host").asText(), reported);
            any |= admits;
        }
        if (!any) {
            String decision = cloud.refusal().path("errors[0].explanation.decision_id");
            for (OddCloud.Host host : cloud.hosts) {
                JsonNode then =
                        OddCloud.read(region.scheduler(0).get("/v1/decisions/" + decision + "/hosts/" + host.name()));
                String about = cloud + ": " + then + " " + verdicts.get(host.name());
                softly.assertThat(then.path("obstacles").size()).as(about).isPositive();
            }
        }
        return verdicts;
    }

    private static void count(OddCloud cloud, SoftAssertions softly) {
        ObjectNode body = JSON.createObjectNode().put("timeout_s", 60);
        ObjectNode capacityRequest = body.putArray("requests").addObject().put("name", "f").put("max", COUNTED_MAX);
        capacityRequest.set("request_spec", cloud.request);
        JsonNode reported = complete("/v1/capacity", body).path("requests").get(0);
        String about = cloud + ": " + reported;
        int count = reported.path("count").asInt();
        if (count < COUNTED_MAX) {
            softly.assertThat(reported.path("binding").isEmpty()).as(about).isFalse();
        }
        if (cloud.isReportedByHosts()) {
            // Resources that hosts report themselves are charged only between the instances of one request.
            softly.assertThat(cloud.place(cloud.request, count + 1)).as(about).isEmpty();
            List<String> placed = count == 0 ? List.of() : cloud.place(cloud.request, count);
            softly.assertThat(placed).as(about).hasSize(count);
            placed.forEach(cloud::release);
            return;
        }
        List<String> placed = new ArrayList<>();
        for (List<String> next = cloud.place(cloud.request, 1); !next.isEmpty() && placed.size() < COUNTED_MAX;
                next = cloud.place(cloud.request, 1)) {
            placed.addAll(next);
        }
        softly.assertThat(placed).as(about).hasSize(count);
        placed.forEach(cloud::release);
    }

    private static void assertAdmittedBy(OddCloud cloud, OddCloud.Host host, SoftAssertions softly) {
        JsonNode reported = explain(cloud.request, List.of(host)).path("hosts").get(0);
        String about = cloud + ": " + reported;
        List<List<JsonNode>> sets = new ArrayList<>();
        reported.path("admitted_by").forEach(set -> sets.add(list(set)));
        sets.forEach(set -> set.forEach(change -> softly.assertThat(change.path("call").path("method").asText())
                .as(about).isNotEqualTo("DELETE")));
        int smallest = sets.isEmpty() ? Integer.MAX_VALUE : sets.getFirst().size();
        cloud.requestsWithLess().forEach((without, request) -> {
            if (smallest > 1) {
                softly.assertThat(cloud.admits(request, host)).as("%s; without %s", about, without).isFalse();
            }
        });
        if (sets.isEmpty()) {
            return;
        }
        List<JsonNode> first = sets.getFirst();
        if (!moves(first)) {
            softly.assertThat(first.size()).as(about).isLessThanOrEqualTo(changesMax(reported));
        }
        if (!moves(first)) {
            assertAdmittedAfter(cloud, host, first, true, softly);
        }
        for (int chosen = 1; chosen < (1 << Math.min(first.size(), 4)) - 1; chosen++) {
            List<JsonNode> some = new ArrayList<>();
            for (int i = 0; i < first.size(); i++) {
                if ((chosen >> i & 1) == 1) {
                    some.add(first.get(i));
                }
            }
            if (!moves(some)) {
                ObjectNode request = cloud.make(some, false);
                softly.assertThat(cloud.admits(request, host)).as("%s; already by %s", about, some).isFalse();
                cloud.takeBack();
            }
        }
        // Moved instances stay where they are, and the remaining sets were computed for the cloud before.
        sets.sort(Comparator.comparing(CorrectResponsesIT::moves));
        for (List<JsonNode> set : sets) {
            if (set != first || moves(first)) {
                assertAdmittedAfter(cloud, host, set, false, softly);
            }
            if (moves(set)) {
                return;
            }
        }
    }

    /**
     * The largest number of changes that the obstacles of a host may need. A guest's topology has one obstacle, which
     * names the first thing that a cell lacks, but both fewer CPUs and less memory may be needed.
     */
    private static int changesMax(JsonNode reported) {
        List<JsonNode> topologies = reported.path("obstacles").valueStream()
                .filter(each -> each.path("code").asText().startsWith("numa_"))
                .toList();
        return reported.path("obstacles").size() + topologies.size();
    }

    private static void assertAdmittedAfter(
            OddCloud cloud, OddCloud.Host host, List<JsonNode> set, boolean asTold, SoftAssertions softly) {
        ObjectNode request = cloud.make(set, asTold);
        boolean admits = cloud.admits(request, host);
        softly.assertThat(admits).as("%s of %s; by %s: %s", host, cloud, set, cloud.answer()).isTrue();
        cloud.takeBack();
    }

    private static boolean moves(List<JsonNode> set) {
        return set.stream().anyMatch(change -> change.path("call").path("path").asText().equals("/v1/moves"));
    }

    private static List<JsonNode> list(JsonNode set) {
        List<JsonNode> list = new ArrayList<>();
        set.forEach(list::add);
        return list;
    }
}
