package io.berth.scheduler.http;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.RawConnection;
import io.berth.deploy.process.ServiceProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests concurrent requests with bodies and responses of the largest size. The service runs as a process with the
 * default heap and without a placement.
 */
@Tag("process")
@Tag("long")
class CrowdIT {
    private static final String HEADERS =
            " HTTP/1.1\r\nHost: berth\r\nx-auth-token: admin\r\ncontent-type: application/json\r\n";
    private static final int DECISIONS = 1_000;
    private static final int AT_ONCE = 8;

    /** Inserts {@value #DECISIONS} decisions, each of a request that a thousand hosts rejected. */
    private static final String RECORDS = """
            INSERT INTO scheduler.decision_contents (part, id, hosts, content)
            SELECT part, '00000000-0000-4000-8000-000000000000', '', convert_to(
                       '{"kind":"select","time":1790000000000,"request_id":"req-1","result":"no_valid_host","code":"scheduler.x",'
                       || '"detail":"none will do","rounds":[{"index":0,"preselection":[1000,1000,false],"filters":[["ComputeFilter",1000,0,['
                       || (SELECT string_agg(format('["compute-%s.region-one.example.org",null,0,%s]', host, host), ',')
                             FROM generate_series(1, 1000) AS host)
                       || ']]],"passed":0}],"claims":[],"claim_count":0,"places":[],"ms":{},"reasons":[["down","service is down %d"]]}',
                       'UTF8')
              FROM scheduler.decision_parts WHERE begun_at IS NOT NULL;
            INSERT INTO scheduler.decisions (part, id, kind, result, instances, hosts, contents, start, body_size)
            SELECT part, gen_random_uuid(), 'select', 'no_valid_host', '{}', '{}', id, 1, octet_length(content)
              FROM scheduler.decision_contents, generate_series(1,""" + " " + DECISIONS + ")";

    private static String database;
    private static ServiceProcess service;

    @BeforeAll
    static void start() {
        database = PostgresForTests.newDatabase();
        service = ServiceProcess.start(Path.of("."), database);
        PostgresForTests.run(database, RECORDS);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void listsManyLongRecordsForConcurrentClients() throws Exception {
        assertThat(responses("GET /v1/decisions" + HEADERS + "\r\n"))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
    }

    /** Refused requests left such records before names were truncated. */
    @Test
    void limitsAPageOfRecordsWithLongNamesByItsSize() throws Exception {
        PostgresForTests.run(database, """
                INSERT INTO scheduler.decisions (part, id, kind, result, project, flavor, instances, hosts, contents, start, body_size)
                SELECT part, gen_random_uuid(), 'select', 'error', repeat('p', 65535), repeat('f', 65535), '{}', '{}', id, 1, 200
                  FROM scheduler.decision_contents, generate_series(1, 1001)""");

        assertThat(responses("GET /v1/decisions?result=error" + HEADERS + "\r\n"))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        assertThat(body(service, "/v1/decisions?result=error")).hasSizeBetween(900_000, 1_100_000)
                .contains("decisions_links");
    }

    /** Retries while PostgreSQL is too slow for a statement (503). */
    private static String body(ServiceProcess target, String path) {
        var request = HttpRequest.newBuilder(URI.create(target.url() + path)).header("x-auth-token", "admin").build();
        AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            eventually("a response of " + path, () -> {
                answer.set(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join());
                return answer.get().statusCode() != 503;
            });
        }
        assertThat(answer.get().statusCode()).as(answer.get().body()).isEqualTo(200);
        return answer.get().body();
    }

    /** Agents could register such records before there was a limit. */
    @Test
    void startsWithRecordsOfHostsThatWouldFillTheHeap() throws Exception {
        String own = PostgresForTests.newDatabase();
        ServiceProcess.start(Path.of("."), own).close();
        PostgresForTests.run(own, RECORDS);
        PostgresForTests.run(own, """
                INSERT INTO scheduler.compute_nodes (uuid, body)
                SELECT gen_random_uuid(),
                       jsonb_build_object('host', 'long-' || i, 'stats', jsonb_build_object('s', repeat('x', 4000000)))
                  FROM generate_series(1, 60) AS i""");
        try (ServiceProcess started = ServiceProcess.start(Path.of("."), own)) {
            String id = body(started, "/v1/decisions?limit=1")
                    .replaceFirst("(?s).*\"decision_id\":\"([^\"]*)\".*", "$1");
            // The explanation needs the registered hosts.
            assertThat(body(started, "/v1/decisions/" + id + "/hosts/long-1")).contains("verdict");
            assertThat(started.errors()).isNotEmpty().allSatisfy(error -> assertThat(error).contains("record skipped"));
        }
    }

    @Test
    void refusesBodiesThatWouldTakeMuchMoreMemoryThanTheirSize() throws Exception {
        String items = "[" + "{},".repeat(1_000_000) + "0]";
        for (String route : List.of(
                "POST /v1/capacity {\"requests\":", "POST /v1/simulations {\"hosts\":", "PUT /v1/cells {\"cells\":",
                "POST /v1/select_destinations {\"request_spec\":")) {
            String[] parts = route.split(" ");
            assertThat(responses(request(parts[0] + " " + parts[1], parts[2] + items + "}")))
                    .allSatisfy(answer -> assertThat(answer.status()).isIn(413, 503))
                    .anySatisfy(answer -> assertThat(answer.status()).isEqualTo(413));
        }
    }

    @Test
    void simulatesManyHostsForConcurrentClients() throws Exception {
        String hosts = IntStream.range(0, 5_000)
                .mapToObj("{\"host\":\"compute-%d.region-one.example.org\",\"total_usable_ram_mb\":9999,\"free_ram_mb\":9999}"::formatted)
                .collect(Collectors.joining(","));
        String simulation =
                "{\"hosts\":[" + hosts + "],\"request_spec\":{\"num_instances\":%d,\"flavor\":{\"memory_mb\":1}}}";

        assertThat(responses(request("POST /v1/simulations", simulation.formatted(50))))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(413));
        assertThat(responses(request("POST /v1/simulations", simulation.formatted(1))))
                .allSatisfy(answer -> assertThat(answer.status()).isIn(200, 503))
                .anySatisfy(answer -> assertThat(answer.body()).contains("compute-4999.region-one.example.org"));
    }

    /** A few tokens request a thousand instances. */
    @Test
    void createsNoUuidsForMillionsOfRequestedInstances() throws Exception {
        String requests = "{\"name\":\"n\",\"request_spec\":{\"num_instances\":1000,\"flavor\":{}}},".repeat(9_999);
        assertThat(responses(request("POST /v1/capacity",
                "{\"requests\":[" + requests + "{\"name\":\"n\",\"request_spec\":{\"flavor\":{}}}]}")))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(503))
                .as("read until the call to placement, which does not run here")
                .anySatisfy(answer -> assertThat(answer.body()).contains("scheduler.placement_unavailable"));
        String placements = "{\"num_instances\":1000,\"flavor\":{}},".repeat(9_999);
        assertThat(responses(request("POST /v1/what_if",
                "{\"ask\":{\"placements\":[" + placements + "{\"flavor\":{}}]}}")))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(413))
                .allSatisfy(answer -> assertThat(answer.body()).contains("$.ask.placements", "10000 instances"));
    }

    /** A bit set with only the highest CPU number takes 8 KB. */
    @Test
    void keepsSetsOfHighCpuNumbersSmall() throws Exception {
        String siblings = "[65535],".repeat(230_000) + "[0]";
        String simulation = "{\"hosts\":[{\"host\":\"h\",\"numa_topology\":{\"cells\":[{\"siblings\":[" + siblings
                + "]}]}}],\"request_spec\":{\"flavor\":{}}}";
        assertThat(responses(request("POST /v1/simulations", simulation)))
                .allSatisfy(answer -> assertThat(answer.status()).isIn(200, 503))
                .anySatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
    }

    /** The reason of every host quotes the request. */
    @Test
    void truncatesLongTextsInTheReasonOfEachHost() throws Exception {
        String hosts = IntStream.range(0, 5_000)
                .mapToObj("{\"host\":\"h%d\",\"vcpus_total\":8,\"total_usable_ram_mb\":9999,\"free_ram_mb\":9999}"::formatted)
                .collect(Collectors.joining(","));
        String simulation =
                "{\"hosts\":[" + hosts + "],\"options\":{\"enabled_filters\":[\"ComputeCapabilitiesFilter\"]},"
                        + "\"request_spec\":{\"flavor\":{\"extra_specs\":{\"capabilities:vcpus_total\":\""
                        + "x".repeat(65_000)
                        + "\"}}}}";
        assertThat(responses(request("POST /v1/simulations", simulation)))
                .allSatisfy(answer -> assertThat(answer.status()).isIn(200, 503))
                .anySatisfy(answer -> assertThat(answer.body()).contains("'" + "x".repeat(300) + "…' not met by 8"));
    }

    /** The body contains one string, which the filter parses into a tree. */
    @Test
    void limitsTreesThatFiltersParseFromStrings() throws Exception {
        String simulation = """
                {"hosts":[{"host":"h"}],"options":{"enabled_filters":["JsonFilter"]},
                 "request_spec":{"flavor":{},"scheduler_hints":{"query":["[%s0]"]}}}""".formatted("{},".repeat(4_000_000));
        assertThat(responses(request("POST /v1/simulations", simulation)))
                .allSatisfy(answer -> assertThat(answer.status()).isIn(200, 503))
                .anySatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
    }

    /** Simulations of registered hosts wait for placement, and for each other, as bytes. */
    @Test
    void queuesSimulationsAsBytesAndNotAsParsedTrees() throws Exception {
        String names = "\"a\",".repeat(650_000) + "\"a\"";
        String simulation = "{\"request_spec\":{\"flavor\":{\"vcpus\":1},\"ignore_hosts\":[" + names + "]}}";
        assertThat(responses(request("POST /v1/simulations", simulation)))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(503))
                .anySatisfy(answer -> assertThat(answer.body()).contains("placement"));
    }

    private static String request(String route, String body) {
        return route + HEADERS + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Sends the request from several clients at once, and checks that the service survives without errors. */
    private static List<RawConnection.Response> responses(String request) throws Exception {
        List<RawConnection.Response> responses = new ArrayList<>();
        try (var clients = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<RawConnection.Response>> pending = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                pending.add(clients.submit(() -> {
                    try (var client = RawConnection.to(service.url())) {
                        return client.send(request).readResponse();
                    }
                }));
            }
            for (Future<RawConnection.Response> answer : pending) {
                responses.add(answer.get());
            }
        }
        assertThat(service.process().isAlive()).isTrue();
        assertThat(service.errors()).isEmpty();
        return responses;
    }
}
