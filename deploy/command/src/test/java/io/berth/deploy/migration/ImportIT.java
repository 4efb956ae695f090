package io.berth.deploy.migration;

import static io.berth.deploy.http.Gatekeeper.Fate.ANSWERED;
import static io.berth.deploy.http.Gatekeeper.Fate.FAILED_500;
import static io.berth.deploy.http.Gatekeeper.Fate.LOST;
import static io.berth.deploy.http.Gatekeeper.Fate.STUCK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.deploy.command.BerthMain;
import io.berth.deploy.command.Said;
import io.berth.deploy.http.Gatekeeper;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the import from one Berth into another; {@code deploy/test/import} does the same from OpenStack's own
 * Placement.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ImportIT {
    private static final int PROVIDERS = 60;
    private static final int CONSUMERS = 150;

    @TempDir
    private static Path folder;

    private static TwoPlacements services;
    private static ServiceProcess source;
    private static ServiceProcess target;
    private static RestClient api;
    private final StringWriter printed = new StringWriter();

    @BeforeAll
    static void startTwoServices() throws Exception {
        services = TwoPlacements.start(folder, PROVIDERS, CONSUMERS);
        source = services.source();
        target = services.target();
        api = services.api();
    }

    @AfterAll
    static void stop() throws Exception {
        services.close();
    }

    private int run(String... more) {
        var args = new ArrayList<>(List.of("import", "--from", source.url(), "--to", target.url(),
                "--journal", folder.resolve("journal").toString()));
        args.addAll(List.of(more));
        var out = new PrintWriter(printed, true);
        return BerthMain.run(out, out, args.toArray(String[]::new));
    }

    private String printed() {
        return printed.toString();
    }

    @Test
    @Order(1)
    void aDryRunWritesNothing() throws Exception {
        assertThat(run("--dry-run", "--show", "1")).as(printed()).isZero();
        assertThat(printed()).contains("dry run, nothing was written", "60 providers, 150 consumers");
        var there = TwoPlacements.client(target);
        assertThat(there.get("/resource_providers").path("resource_providers")).isEmpty();
        assertThat(there.get("/traits?name=startswith:CUSTOM_").path("traits")).isEmpty();
    }

    /** The import is killed while it reads consumers. The next run reads only those that the first one had not read. */
    @Test
    @Order(2)
    void resumesFromTheJournalAfterItWasKilled() throws Exception {
        int stuckAt = 4 * PROVIDERS + CONSUMERS * 2 / 3;
        try (var first = Gatekeeper.before(source.url(), 1, number -> number < stuckAt ? ANSWERED : STUCK)) {
            Process process = start(Map.of(), "--from", first.url(), "--to", target.url(), "--dry-run");
            Await.eventually("the import is stuck", () -> first.seen().size() >= stuckAt);
            process.destroyForcibly().waitFor();
            assertThat(consumersRead(first)).isPositive().isLessThan(CONSUMERS);
        }
        // The journal names the URL of the source, so it is changed to that of the second proxy.
        String journal = Files.readString(folder.resolve("interrupted"));
        long known = journal.lines().filter(line -> line.startsWith("{\"consumer\"") && line.endsWith("}")).count();
        assertThat(known).isPositive();
        try (var second = Gatekeeper.before(source.url(), 1, _ -> ANSWERED)) {
            Files.writeString(folder.resolve("interrupted"), journal.replaceFirst("http://[^\"]*", second.url()));
            Process process = start(Map.of(), "--from", second.url(), "--to", target.url(), "--dry-run");
            assertThat(process.waitFor()).as(output(process)).isZero();
            assertThat(consumersRead(second)).isEqualTo(CONSUMERS - known);
            assertThat(second.seen()).filteredOn(request -> request.endsWith("/traits")).hasSize(1);
        }
    }

    private static long consumersRead(Gatekeeper gatekeeper) {
        return gatekeeper.seen().stream().filter(request -> request.startsWith("GET /allocations/")).count();
    }

    /** Starts the import in its own process, which can be killed and has its own environment. */
    private static Process start(Map<String, String> environment, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), BerthMain.class.getName(), "import",
                "--journal", folder.resolve("interrupted").toString()));
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("OS_"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static String output(Process process) throws Exception {
        process.waitFor();
        return Files.readString(folder.resolve("said"));
    }

    /** On both sides tokens expire, responses are lost, and the service and every second login fail. */
    @Test
    @Order(3)
    void completesDespiteLostResponsesErrorsAndExpiredTokens() throws Exception {
        Function<Integer, Gatekeeper.Fate> mishaps =
                number -> number % 23 == 0 ? LOST : number % 31 == 0 ? FAILED_500 : ANSWERED;
        try (var from = Gatekeeper.before(source.url(), 100, mishaps);
                var to = Gatekeeper.before(target.url(), 100, mishaps)) {
            Path clouds = Files.writeString(folder.resolve("clouds.yaml"),
                    "clouds:\n  old:\n%s  new:\n%s".formatted(from.cloud(), to.cloud()));
            Process process = start(Map.of("OS_CLIENT_CONFIG_FILE", clouds.toString()), "--from", "old", "--to", "new",
                    "--check", "100");
            assertThat(output(process))
                    .contains("queries: 100 of 100 answered alike", "same: 60 providers, 150 consumers");
            assertThat(process.waitFor()).isZero();
            assertThat(from.tokens()).isGreaterThan(2);
            assertThat(to.tokens()).isGreaterThan(2);
        }
    }

    @Test
    @Order(3)
    void reportsRefusedCredentialsInOneLine() throws Exception {
        try (var from = Gatekeeper.before(source.url(), 100, _ -> ANSWERED)) {
            Process process = start(Map.of("OS_AUTH_URL", from.url(), "OS_USERNAME", "berth", "OS_PASSWORD", "wrong"),
                    "--to", target.url());
            assertThat(output(process)).isEqualTo("berth import: Keystone at " + from.url()
                    + " refuses the credentials of OS_* variables: The password is wrong.\n");
            assertThat(process.waitFor()).isEqualTo(1);
        }
    }

    /**
     * A service with its own tokens would take Keystone's token for the name of a user, and the token must not leave
     * the cloud.
     */
    @Test
    @Order(3)
    void sendsNoKeystoneTokenToAServiceWithItsOwnTokens() throws Exception {
        try (var from = Gatekeeper.before(source.url(), 100, _ -> ANSWERED)) {
            Process process = start(Map.of("OS_AUTH_URL", from.url(), "OS_USERNAME", "berth", "OS_PASSWORD", "s3cret",
                    "OS_PROJECT_NAME", "service", "OS_REGION_NAME", "here"), "--to", target.url(), "--dry-run");
            assertThat(process.waitFor()).as(output(process)).isZero();
        }
    }

    @Test
    @Order(4)
    void aSecondRunWritesNothingAndReadsNoConsumerAgain() throws Exception {
        assertThat(run()).as(printed()).isZero();
        assertThat(printed()).contains("; 0 things written");
        assertThat(run()).as(printed()).isZero();
        assertThat(printed()).contains("known from before: 210 providers and consumers");
    }

    @Test
    @Order(4)
    void refusesOneServiceUnderTwoNames() throws Exception {
        try (var other = Gatekeeper.before(target.url(), 1, _ -> ANSWERED)) {
            Said refused = Said.by("import", "--from", other.url(), "--to", target.url(),
                    "--journal", folder.resolve("other").toString());
            assertThat(refused.err()).hasLineCount(1)
                    .contains("nothing was imported: %s and %s are one service".formatted(
                            other.url(), target.url()));
            assertThat(refused.status()).isEqualTo(2);
        }
        assertThat(TwoPlacements.client(target).get("/traits?name=startswith:CUSTOM_BERTH").path("traits")).isEmpty();
    }

    /** The same URL may lead to another service after a migration. */
    @Test
    @Order(5)
    void ignoresAJournalOfAnotherServiceAtTheSameUrl() throws Exception {
        Path journal = folder.resolve("journal");
        String known = Files.readString(journal);
        String other = known.replace("\"total\":", "\"total\":1");
        for (String forged : List.of(
                other.replace("\"berth\":true", "\"berth\":false"), other.replaceAll("(\"generation\":)", "$19"))) {
            Files.writeString(journal, forged);
            assertThat(run("--dry-run")).as(printed()).isZero();
            assertThat(Files.readString(journal).lines()).containsExactlyInAnyOrderElementsOf(known.lines().toList());
        }
    }

    @Test
    @Order(6)
    void updatesWhatChangedAndDeletesWhatIsGoneOnlyWithPrune() throws Exception {
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

        assertThat(run("--show", "9")).as(printed()).isEqualTo(3);
        assertThat(printed()).contains("consumer " + consumer + " is only in the target",
                "but 1 things only in the target");
        assertThat(run("--prune", "--check", "100")).as(printed()).isZero();
        assertThat(printed()).contains("queries: 100 of 100 answered alike", "\nsame: 60 providers, 149 consumers");
    }

    private static void place(String uuid, String name, String parent) throws Exception {
        var body = JsonNodeFactory.instance.objectNode().put("name", name).put("parent_provider_uuid", parent);
        api.send("PUT", "/resource_providers/" + uuid, body, 200);
    }
}
