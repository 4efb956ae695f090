package io.berth.deploy.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.deploy.migration.http.PlacementApi;
import io.berth.deploy.migration.http.Progress;
import io.berth.deploy.migration.http.Target;
import io.berth.deploy.migration.sample.SampleCloud;
import io.berth.deploy.migration.sample.SampleMain;
import io.berth.deploy.postgres.PostgresServer;
import io.berth.deploy.process.ServiceProcess;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** From one Berth into another; {@code deploy/test/import} does the same from OpenStack's own Placement. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ImportIT {
    private static final Path PLACEMENT = Path.of("..", "..", "placement-service");
    private static final int PROVIDERS = 60;
    private static final int CONSUMERS = 150;

    @TempDir
    private static Path folder;

    private static PostgresServer postgres;
    private static ServiceProcess source;
    private static ServiceProcess target;
    private static PlacementApi api;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeAll
    static void twoServices() throws Exception {
        postgres = PostgresServer.start(folder, 0, false, false);
        String url = postgres.url();
        try (var connection = DriverManager.getConnection("jdbc:" + url.replaceFirst("//.*@", "//"), "postgres", "");
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE import_target");
        }
        var starting = CompletableFuture.supplyAsync(
                () -> ServiceProcess.start(PLACEMENT, url.replaceFirst("/postgres$", "/import_target")));
        source = ServiceProcess.start(PLACEMENT, url);
        target = starting.get();
        api = new PlacementApi(Target.parse(source.url(), "admin"), null);
        SampleMain.load(api, SampleCloud.of(PROVIDERS, CONSUMERS, new Random(7)), new Progress(System.out));
    }

    @AfterAll
    static void stop() throws Exception {
        source.close();
        target.close();
        postgres.close();
    }

    private int run(String... more) {
        var args = new ArrayList<>(List.of("--from", source.url(), "--to", target.url()));
        args.addAll(List.of(more));
        var out = new PrintStream(said, true, StandardCharsets.UTF_8);
        return ImportMain.run(out, out, args.toArray(String[]::new));
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    @Order(1)
    void aDryRunWritesNothing() throws Exception {
        assertThat(run("--dry-run", "--show", "1")).as(said()).isZero();
        assertThat(said()).contains("dry run, nothing was written", "60 providers, 150 consumers");
        var there = new PlacementApi(Target.parse(target.url(), "admin"), null);
        assertThat(there.get("/resource_providers").path("resource_providers")).isEmpty();
        assertThat(there.get("/traits?name=startswith:CUSTOM_").path("traits")).isEmpty();
    }

    @Test
    @Order(2)
    void bothTellTheSameAfterwards() {
        assertThat(run("--check", "100")).as(said()).isZero();
        assertThat(said()).contains("reads: 100 of 100 answered alike", "\nsame: 60 providers, 150 consumers");
    }

    @Test
    @Order(3)
    void aSecondRunWritesNothing() {
        assertThat(run()).as(said()).isZero();
        assertThat(said()).contains("; 0 things written");
    }

    @Test
    @Order(4)
    void whatChangedIsUpdatedAndWhatIsGoneGoesOnlyWhenTold() throws Exception {
        String child = null;
        List<JsonNode> roots = new ArrayList<>();
        for (JsonNode each : api.get("/resource_providers").path("resource_providers")) {
            if (each.path("parent_provider_uuid").isTextual()) {
                child = each.path("uuid").asText();
            } else {
                roots.add(each);
            }
        }
        String one = roots.get(0).path("uuid").asText();
        String other = roots.get(1).path("uuid").asText();
        place(one, "for-a-while", null);
        place(other, roots.get(0).path("name").asText(), null);
        place(one, roots.get(1).path("name").asText(), null);
        place(child, "moved", other);
        String consumer = null;
        for (JsonNode root : roots) {
            var holders = api.get("/resource_providers/" + root.path("uuid").asText() + "/allocations");
            for (var holder : holders.path("allocations").properties()) {
                consumer = holder.getKey();
            }
        }
        api.send("DELETE", "/allocations/" + consumer, null, 204);

        assertThat(run("--show", "9")).as(said()).isEqualTo(3);
        assertThat(said()).contains("consumer " + consumer + " is only in the target",
                "but 1 things only in the target");
        assertThat(run("--prune", "--check", "100")).as(said()).isZero();
        assertThat(said()).contains("reads: 100 of 100 answered alike", "\nsame: 60 providers, 149 consumers");
    }

    private static void place(String uuid, String name, String parent) throws Exception {
        var body = JsonNodeFactory.instance.objectNode().put("name", name).put("parent_provider_uuid", parent);
        api.send("PUT", "/resource_providers/" + uuid, body, 200);
    }
}
