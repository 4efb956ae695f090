package io.berth.deploy.migration.plan;

import static io.berth.deploy.migration.States.aState;
import static io.berth.deploy.migration.States.uuid;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.berth.deploy.http.Credential;
import io.berth.deploy.http.Endpoint;
import io.berth.deploy.http.Progress;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.http.Workers;
import io.berth.deploy.migration.state.PlacementState;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PlanRunTest {
    /** The user must see which inventories stay boundless. */
    @Test
    void returnsFailedInventoriesAfterFailedAllocationsToo() throws Exception {
        PlacementState target = aState().host("a").build();
        PlacementState source = aState().host("a").consumer("one", "a", 9).consumer("other", "a", 9).build();
        Plan plan = Plan.of(source, target, false);
        assertThat(plan.finalInventories()).containsOnlyKeys(uuid("a"));
        HttpServer placement = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // Widens the inventory, and refuses what comes after the first write.
        var writes = new AtomicInteger();
        placement.createContext("/", exchange -> {
            boolean isRefused = exchange.getRequestMethod().equals("PUT") && writes.incrementAndGet() > 1;
            byte[] body = "{\"generation\": 1, \"resource_provider_generation\": 1}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isRefused ? 400 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        placement.start();
        try {
            var api = new RestClient(Endpoint.parse("http://127.0.0.1:" + placement.getAddress().getPort()),
                    Credential.token("admin"), null);
            var workers = new Workers(2, new Progress(new PrintWriter(Writer.nullWriter())));
            List<String> failures = new PlanRun(plan, source, target, api, workers).run();
            assertThat(failures).hasSize(3)
                    .filteredOn(failure -> failure.contains("/inventories")).hasSize(1);
        } finally {
            placement.stop(0);
        }
    }
}
