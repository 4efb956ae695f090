package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.RawConnection;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests health and metrics on a management port: each port serves its own paths only, however a path is written. */
@Tag("process")
class ManagementPortIT {
    @Test
    void servesOnlyHealthAndMetricsOnTheManagementPort() throws Exception {
        int management = freePort();
        try (var service = ServiceProcess.start(Path.of(""), environment(management))) {
            int main = URI.create(service.url()).getPort();
            for (String path : List.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started",
                    "/q/metrics")) {
                Await.eventually(() -> assertThat(status(management, path)).as(path).isEqualTo(200));
                assertThat(status(main, path)).as(path).isEqualTo(404);
            }
            assertThat(status(main, "/")).isEqualTo(200);
            assertThat(status(main, "/resource_providers")).isEqualTo(200);
            assertThat(status(main, "/resource_providers/../q/metrics")).isEqualTo(404);
            assertThat(status(main, "//q/metrics")).isEqualTo(404);
            assertThat(status(main, "/%71/metrics")).isEqualTo(404);
            for (String path : List.of(
                    "/", "/resource_providers", "//resource_providers", "/q/../resource_providers",
                    "/q/%2e%2e/resource_providers", "/q/health/../../resource_providers")) {
                assertThat(status(management, path)).as(path).isEqualTo(404);
            }
            assertThat(service.errors()).isEmpty();
        }
    }

    @Test
    void failsToStartIfTheManagementPortIsTaken() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> ServiceProcess.start(Path.of(""), environment(taken.getLocalPort())))
                    .rootCause().hasMessageContaining("cannot listen at berth.management.port=" + taken.getLocalPort());
        }
    }

    private static Map<String, String> environment(int management) {
        return Map.of(
                "BERTH_DATABASE_URL", PostgresForTests.url(), "BERTH_MANAGEMENT_PORT", String.valueOf(management));
    }

    /** Returns the status of a path, which is sent unchanged. */
    private static int status(int port, String path) {
        try (var client = RawConnection.to("http://127.0.0.1:" + port)) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: berth\r\nx-auth-token: admin\r\n\r\n");
            return client.readResponse().status();
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
