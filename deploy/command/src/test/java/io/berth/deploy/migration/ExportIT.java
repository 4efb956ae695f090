package io.berth.deploy.migration;

import static io.berth.deploy.http.Gatekeeper.Fate.ANSWERED;
import static io.berth.deploy.http.Gatekeeper.Fate.SLOW;
import static io.berth.deploy.http.Gatekeeper.Fate.STUCK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.berth.deploy.command.BerthMain;
import io.berth.deploy.command.Said;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.Gatekeeper;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.process.Await;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the export from one Berth into another; {@code deploy/test/import} does the same into OpenStack's own
 * Placement.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ExportIT {
    private static final int PROVIDERS = 60;
    private static final int CONSUMERS = 150;

    @TempDir
    private static Path folder;

    private static TwoPlacements services;
    private static RestClient source;
    private static RestClient target;

    @BeforeAll
    static void startTwoServices() throws Exception {
        services = TwoPlacements.start(folder, PROVIDERS, CONSUMERS);
        source = services.api();
        target = TwoPlacements.client(services.target());
    }

    @AfterAll
    static void stop() throws Exception {
        services.close();
    }

    private static List<String> arguments(String to, String... more) {
        var args = new ArrayList<>(List.of("export", "--from", services.source().url(), "--to", to, "--journal",
                folder.resolve("journal").toString()));
        args.addAll(List.of(more));
        return args;
    }

    private static Said run(String... more) {
        return runInto(services.target().url(), more);
    }

    private static Said runInto(String to, String... more) {
        return Said.by(arguments(to, more).toArray(String[]::new));
    }

    private static String lastLine(Said result) {
        return result.out().lines().toList().getLast();
    }

    /** Starts a Placement that only reports this newest microversion. */
    private static HttpServer placementOf(String versionMax) throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean isKnown = List.of("/", "/resource_classes").contains(exchange.getRequestURI().getPath());
            byte[] body = ("{\"versions\": [{\"max_version\": \"" + versionMax + "\"}], \"resource_classes\": []}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isKnown ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    @ParameterizedTest
    @Order(1)
    @CsvSource(delimiter = '|', value = {
        "1.36 | supports microversions up to 1.36; 1.39 is needed (OpenStack Yoga or newer)",
        "     | is no Placement service: / answered 200 without a version"})
    void refusesATargetThatIsTooOldOrNoPlacement(String versionMax, String message) throws Exception {
        HttpServer old = placementOf(versionMax == null ? "" : versionMax);
        try {
            Said refused = runInto("http://127.0.0.1:" + old.getAddress().getPort());
            assertThat(refused.err()).hasLineCount(1).contains(message);
            assertThat(refused.status()).isEqualTo(1);
        } finally {
            old.stop(0);
        }
    }

    @Test
    @Order(1)
    void refusesASourceThatIsNotBerth() throws Exception {
        HttpServer other = placementOf("1.39");
        try {
            String url = "http://127.0.0.1:" + other.getAddress().getPort();
            Said refused = Said.by("export", "--from", url, "--to", services.target().url(), "--journal",
                    folder.resolve("journal").toString());
            assertThat(refused.err()).hasLineCount(1).contains(url + " is not Berth: name with --from the Berth");
            assertThat(refused.status()).isEqualTo(2);
        } finally {
            other.stop(0);
        }
    }

    /** After a migration, the catalog names Berth as placement. */
    @Test
    @Order(1)
    void refusesATargetThatIsTheSourceUnderAnotherName() throws Exception {
        try (var catalogue = Gatekeeper.before(services.source().url(), 1, _ -> ANSWERED)) {
            Said refused = runInto(catalogue.url());
            assertThat(refused.err()).hasLineCount(1).contains("nothing was exported: %s and %s are one service"
                    .formatted(services.source().url(), catalogue.url()));
            assertThat(refused.status()).isEqualTo(2);
        }
        assertThat(source.get("/traits?name=startswith:CUSTOM_BERTH").path("traits")).isEmpty();
    }

    @Test
    @Order(2)
    void aDryRunWritesNothing() throws Exception {
        Said result = run("--dry-run", "--show", "1");
        assertThat(result.status()).as(result.err()).isZero();
        assertThat(lastLine(result)).contains("dry run, nothing was written");
        assertThat(target.get("/resource_providers").path("resource_providers")).isEmpty();
        assertThat(target.get("/traits?name=startswith:CUSTOM_").path("traits")).isEmpty();
    }

    /**
     * The export is killed while it writes consumers. The next run writes the others and restores inventories that were
     * widened.
     */
    @Test
    @Order(3)
    void resumesAfterItWasKilledWhileWritingConsumers() throws Exception {
        int stuckAt = 6 * PROVIDERS - 60;
        try (var first = Gatekeeper.before(services.target().url(), 1, number -> number < stuckAt ? ANSWERED : STUCK)) {
            String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            List<String> command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1", "-cp",
                    System.getProperty("java.class.path"), BerthMain.class.getName()));
            command.addAll(arguments(first.url()));
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(folder.resolve("said").toFile()).start();
            Await.eventually("the export is stuck", () -> first.seen().size() >= stuckAt);
            process.destroyForcibly().waitFor();
        }
        assertThat(consumersOfTarget()).isPositive().isLessThan(CONSUMERS);
        try (var slow = Gatekeeper.before(services.target().url(), 1, _ -> SLOW)) {
            Said result = runInto(slow.url(), "--check", "50", "--parallel", "32");
            assertThat(result.status()).as(result.out() + result.err()).isZero();
            assertThat(result.out()).contains("queries: 50 of 50 answered alike");
            assertThat(lastLine(result)).startsWith("same: 60 providers, 150 consumers");
            assertThat(slow.seen()).filteredOn(request -> request.startsWith("PUT /allocations/"))
                    .hasSizeLessThan(CONSUMERS);
        }
    }

    private static int consumersOfTarget() throws Exception {
        List<String> consumers = new ArrayList<>();
        for (JsonNode provider : target.get("/resource_providers").path("resource_providers")) {
            target.get("/resource_providers/" + provider.path("uuid").asText() + "/allocations").path("allocations")
                    .properties().forEach(each -> consumers.add(each.getKey()));
        }
        return (int) consumers.stream().distinct().count();
    }

    @Test
    @Order(4)
    void aSecondRunWritesNothingAndAThirdReadsOnlyWhatChanged() throws Exception {
        assertThat(lastLine(run())).startsWith("same: ").contains("; 0 things written");
        Said third = run();
        assertThat(third.out()).contains("known from before: 210 providers and consumers");
        assertThat(lastLine(third)).startsWith("same: ").contains("; 0 things written");
    }

    /** The export must notice both a release, which raises no generation, and a claim after it has read Berth. */
    @ParameterizedTest
    @Order(5)
    @ValueSource(booleans = {true, false})
    void reportsAWriteToTheSourceWhileBothAreCompared(boolean isRelease) throws Exception {
        int inTheMiddle = PROVIDERS;
        String consumer = anyConsumer();
        JsonNode held = source.get("/allocations/" + consumer);
        try (var between = Gatekeeper.before(services.target().url(), 1, number -> {
            if (number == inTheMiddle && isRelease) {
                release(consumer);
            } else if (number == inTheMiddle) {
                claim(UUID.randomUUID().toString(), "1.39", asNew(held));
            }
            return ANSWERED;
        })) {
            Said result = runInto(between.url());
            assertThat(between.seen()).hasSizeGreaterThan(inTheMiddle);
            assertThat(lastLine(result)).startsWith("not the same: " + services.source().url()
                    + " was written to while both were compared, 0 things written");
            assertThat(result.status()).isEqualTo(1);
        }
        Said again = run("--prune");
        assertThat(lastLine(again)).startsWith("same: ");
        assertThat(again.status()).isZero();
    }

    /** Returns a consumer on one provider where another one of the same size fits. */
    private static String anyConsumer() throws Exception {
        for (JsonNode provider : source.get("/resource_providers?resources=VCPU:8").path("resource_providers")) {
            for (var holder : source.get("/resource_providers/" + provider.path("uuid").asText() + "/allocations")
                    .path("allocations").properties()) {
                JsonNode held = source.get("/allocations/" + holder.getKey());
                if (held.path("allocations").size() == 1 && !held.path("consumer_type").asText().equals("unknown")) {
                    return holder.getKey();
                }
            }
        }
        throw new IllegalStateException("no provider with room has a consumer that is on no other provider");
    }

    private static void release(String consumer) {
        try {
            source.send("DELETE", "/allocations/" + consumer, null, 204);
        } catch (ApiFailure | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectNode asNew(JsonNode held) {
        ObjectNode body = held.deepCopy();
        body.set("consumer_generation", NullNode.instance);
        body.path("allocations").forEach(each -> ((ObjectNode) each).remove("generation"));
        return body;
    }

    private static void claim(String consumer, String microversion, ObjectNode body) {
        try {
            source.sendAt(microversion, "PUT", "/allocations/" + consumer, body, 204);
        } catch (ApiFailure | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The consumer loses its type by deletion and re-creation, and gets the generation that the journal has. */
    @Test
    @Order(6)
    void exportsAConsumerThatWasDeletedAndCreatedAgain() throws Exception {
        String consumer = anyConsumer();
        ObjectNode untyped = asNew(source.get("/allocations/" + consumer));
        untyped.remove("consumer_type");
        release(consumer);
        claim(consumer, "1.37", untyped);
        Said result = run();
        assertThat(lastLine(result)).as(result.out()).startsWith("same: ").contains("; 1 things written");
    }

    @Test
    @Order(7)
    void reportsWhatOnlyTheTargetHasAndPrunesItOnRequest() throws Exception {
        String name = source.get("/resource_providers").path("resource_providers").path(0).path("name").asText();
        UUID added = UUID.randomUUID();
        target.send("POST", "/resource_providers",
                JsonNodeFactory.instance.objectNode().put("name", "unknown").put("uuid", added.toString()), 200);
        Said more = run();
        assertThat(more.out()).contains("provider " + added + " is only in the target");
        assertThat(lastLine(more)).startsWith("all of the source is there: ")
                .contains("but 1 things only in the target");
        assertThat(more.status()).isEqualTo(3);

        String known = source.get("/resource_providers").path("resource_providers").path(0).path("uuid").asText();
        var renamed = JsonNodeFactory.instance.objectNode();
        target.send("PUT", "/resource_providers/" + known, renamed.put("name", "for-a-while"), 200);
        target.send("PUT", "/resource_providers/" + added, renamed.put("name", name), 200);
        Said refused = run();
        assertThat(refused.out()).contains("provider %s cannot be named %s: %s".formatted(known, name, added));
        assertThat(refused.err()).hasLineCount(1).contains("1 obstacles: nothing was written; ");
        assertThat(refused.status()).isEqualTo(1);

        Said pruned = run("--prune", "--check", "50");
        assertThat(lastLine(pruned)).startsWith("same: ");
        assertThat(pruned.status()).isZero();
    }
}
