package io.berth.scheduler.http;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.RawConnection;
import io.berth.deploy.process.ServiceProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests requests whose parsed bodies take much more memory than their bytes, while they wait for the worker of analysis
 * jobs or for a placement that accepts connections and does not respond. The service has the default heap.
 */
@Tag("process")
@Tag("long")
class HeldBodiesIT {
    private static final int AT_ONCE = 36;
    private static final String NO_ROOM = "too many requests with bodies as large as this one are under way";
    private static final String NAMES = "\"a\",".repeat(170_000) + "\"a\"";
    private static final String DECISION = request(
            "/v1/select_destinations",
            "{\"request_spec\":{\"flavor\":{\"vcpus\":1},\"ignore_hosts\":[" + NAMES + "]}}");
    private static final String RESCHEDULE = request("/v1/reschedule", """
            {"instance_uuid":"11111111-aaaa-4aaa-8aaa-111111111111","alternates":[],"failed":{"host":"a","limits":[%s],
             "allocation_request":{"allocations":{"22222222-aaaa-4aaa-8aaa-222222222222":{"resources":{"VCPU":1}}}}}}"""
            .formatted(NAMES));
    private static final String ANALYSIS = request("/v1/explanations", "{\"timeout_s\":1,\"request_spec\":"
            + "{\"flavor\":{\"vcpus\":1},\"limits\":{\"a\":[" + "{},".repeat(80_000) + "0]}}}");

    @Test
    void refusesLargeBodiesWhenTheirMemoryLimitIsReached() throws Exception {
        try (var placement = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
                ServiceProcess service = ServiceProcess.start(Path.of("."), Map.of(
                        "BERTH_DATABASE_URL", PostgresForTests.newDatabase(),
                        "BERTH_PLACEMENT_URL", "http://127.0.0.1:" + placement.getLocalPort(),
                        "BERTH_PLACEMENT_TIMEOUT", "1H",
                        "BERTH_BODY_TIME_MAX", "10S"))) {
            List<RawConnection> analyses = send(service, ANALYSIS);
            for (RawConnection client : analyses) {
                assertThat(client.readResponse().status()).isIn(200, 503);
            }

            List<RawConnection> clients = send(service, DECISION);
            List<RawConnection> held = new ArrayList<>(clients);
            eventually("all but a few are refused", () -> {
                held.removeIf(RawConnection::hasInput);
                return held.size() < 8;
            });
            // Complete bodies have no time limit: the held requests stay open even after a body that stalls is closed.
            try (var stalling = RawConnection.to(service.url())) {
                stalling.send(request("/v1/select_destinations", "{\"request_spec\":{}}").replaceFirst(".$", ""))
                        .readResponse();
            }
            held.removeIf(RawConnection::hasInput);
            clients.removeAll(held);
            // Bytes that are not parsed yet have a separate limit.
            assertThat(clients.stream().map(RawConnection::readResponse))
                    .doesNotContainNull()
                    .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(503))
                    .allSatisfy(answer -> assertThat(answer.headers()).containsKey("retry-after"))
                    .anySatisfy(answer -> assertThat(answer.body()).contains(NO_ROOM));
            assertThat(held).isNotEmpty();

            // Decisions continue after their clients disconnect.
            for (RawConnection client : held) {
                client.close();
            }
            assertThat(answer(service, DECISION).body()).contains(NO_ROOM);
            assertThat(answer(service, RESCHEDULE).body()).contains(NO_ROOM);
            String usual = request("/v1/select_destinations", "{\"request_spec\":{}}");
            assertThat(answer(service, usual).body()).contains("$.request_spec.flavor: is required");

            placement.close();
            eventually(() -> assertThat(answer(service, DECISION).body()).doesNotContain(NO_ROOM)
                    .contains("placement"));
            assertThat(service.process().isAlive()).isTrue();
        }
    }

    private static List<RawConnection> send(ServiceProcess service, String request) {
        List<RawConnection> clients = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            clients.add(RawConnection.to(service.url()).send(request));
        }
        return clients;
    }

    private static RawConnection.Response answer(ServiceProcess service, String request) {
        try (var client = RawConnection.to(service.url())) {
            return client.send(request).readResponse();
        }
    }

    private static String request(String route, String body) {
        return "POST " + route + " HTTP/1.1\r\nHost: berth\r\nx-auth-token: admin\r\ncontent-type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }
}
