package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests that clients which disconnect early or send too large bodies cause no error in the services. */
class RudeClientsIT {
    private static final int LEAVERS = Cloud.LONG ? 5_000 : 300;
    /** About the duration of a write. */
    private static final int LEAVE_WITHIN_MS = 6;
    private static final int CHUNK_BYTES = 1024 * 1024;
    /** The limit of these routes is 4 MB. */
    private static final int CHUNKS = 18;

    private final Cloud cloud = Cloud.shared();
    private final Random random = new Random(cloud.seed());

    @Test
    void clientsThatDisconnectCauseNoErrorsAndNoOpenTransactions() throws Exception {
        var environment = Map.of(
                "BERTH_DATABASE_URL", cloud.postgres().url(cloud.postgres().port()),
                "BERTH_PLACEMENT_URL", cloud.url(0));
        try (var placement = ServiceProcess.start(Packaged.PLACEMENT, environment);
                var scheduler = ServiceProcess.start(Packaged.SCHEDULER, environment)) {
            for (int i = 0; i < LEAVERS; i++) {
                sendAndDisconnect(placement, "POST /resource_providers",
                        "{\"name\": \"leaver-%s\"}".formatted(UUID.randomUUID()));
                UUID cell = UUID.randomUUID();
                sendAndDisconnect(scheduler, "PUT /v1/cells/" + cell, "{\"name\": \"%s\"}".formatted(cell));
            }
            assertThat(sendTooMuch(placement, "POST /resource_providers")).startsWith("HTTP/1.1 413 ");
            assertThat(sendTooMuch(scheduler, "PUT /v1/cells/" + UUID.randomUUID())).startsWith("HTTP/1.1 413 ");
            Await.eventually("the last writes end", () -> openTransactions() == 0);
            assertThat(placement.errors()).as("placement's errors").isEmpty();
            assertThat(scheduler.errors()).as("the scheduler's errors").isEmpty();
        }
    }

    private void sendAndDisconnect(ServiceProcess service, String route, String body)
            throws IOException, InterruptedException {
        try (Socket socket = connect(service)) {
            socket.getOutputStream()
                    .write((Api.requestHead(route) + "content-length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            Thread.sleep(random.nextInt(LEAVE_WITHIN_MS));
        }
    }

    /** Returns the first bytes of the response. */
    private static String sendTooMuch(ServiceProcess service, String route) throws IOException {
        try (Socket socket = connect(service)) {
            String chunk = Integer.toHexString(CHUNK_BYTES) + "\r\n" + " ".repeat(CHUNK_BYTES) + "\r\n";
            try {
                var out = socket.getOutputStream();
                out.write((Api.requestHead(route) + "transfer-encoding: chunked\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                for (int i = 0; i < CHUNKS; i++) {
                    out.write(chunk.getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException refusedWhileSending) {
                // The client can still read the response.
            }
            byte[] first = new byte[1024];
            int length = socket.getInputStream().read(first);
            return length < 0 ? "" : new String(first, 0, length, StandardCharsets.US_ASCII);
        }
    }

    private static Socket connect(ServiceProcess service) throws IOException {
        URI url = URI.create(service.url());
        var socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout((int) Await.WAIT_MAX.toMillis());
        return socket;
    }

    private long openTransactions() {
        try (Connection database = cloud.postgres().connect()) {
            return Books.count(database, """
                    SELECT count(*) FROM pg_stat_activity
                     WHERE xact_start IS NOT NULL AND backend_type = 'client backend' AND pid <> pg_backend_pid()""");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
