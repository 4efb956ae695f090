package io.berth.deploy.checks.compose;

import static io.berth.deploy.checks.Yamls.at;
import static io.berth.deploy.checks.Yamls.map;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks {@code deploy/compose/compose.yaml} against the schema of Compose, the proxy and the services' properties. */
class ComposeFileTest {
    private static final Path FOLDER = ProjectFiles.ROOT.resolve("deploy/compose");
    private static final List<String> REPLICAS =
            List.of("placement-1", "placement-2", "scheduler-1", "scheduler-2");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PROXIED = Pattern.compile("(?m)^ *server \\S+ (\\S+):(\\d+)");

    private final Map<String, Object> compose = ProjectFiles.documents(FOLDER.resolve("compose.yaml")).getFirst();
    private final Map<String, Object> services = map(compose.get("services"));

    @Test
    void conformsToTheComposeSpecification() throws IOException {
        assertThat(schema().validate(JSON.valueToTree(compose))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "services: {a: {image: b, port: [1]}}",
        "services: {a: {image: b, healthcheck: {every: 2s}}}",
        "service: {a: {image: b}}"})
    void theSchemaRefusesInvalidComposeFiles(String yaml) throws IOException {
        JsonNode wrong = JSON.valueToTree(ProjectFiles.documents(new StringReader(yaml)).getFirst());
        assertThat(schema().validate(wrong)).isNotEmpty();
    }

    @Test
    void waitsOnlyForServicesThatExistAndHaveAHealthCheck() {
        services.forEach((name, service) -> {
            Object dependsOn = at(service, "depends_on");
            Collection<?> names = dependsOn instanceof Map<?, ?> conditions ? conditions.keySet()
                    : dependsOn instanceof List<?> list ? list : Set.of();
            assertThat(services.keySet()).as(name + " depends on")
                    .containsAll(names.stream().map(String::valueOf).toList());
            if (dependsOn instanceof Map<?, ?> conditions) {
                conditions.forEach((other, condition) -> assertThat(at(services.get(other), "healthcheck"))
                        .as(name + " waits for the health of " + other).isNotNull());
            }
        });
    }

    @Test
    void theProxyServesBothReplicasOfEachServiceAndNothingElse() throws IOException {
        var proxied = new ArrayList<String>();
        var servers = PROXIED.matcher(Files.readString(FOLDER.resolve("haproxy.cfg")));
        while (servers.find()) {
            proxied.add(servers.group(1) + ":" + servers.group(2));
        }
        assertThat(proxied).containsExactly(
                "placement-1:" + portOf("placement"), "placement-2:" + portOf("placement"),
                "scheduler-1:" + portOf("scheduler"), "scheduler-2:" + portOf("scheduler"));
        assertThat(REPLICAS).allSatisfy(name -> assertThat(services.get(name))
                .isNotNull().isEqualTo(services.get(name.replaceFirst("\\d$", "1"))));
        assertThat(at(services.get("scheduler-1"), "environment", "BERTH_PLACEMENT_URL"))
                .isEqualTo("http://proxy:" + portOf("placement"));
    }

    @Test
    void prometheusScrapesEachReplicaAndStartsOnlyWithItsProfile() throws IOException {
        Object watched = at(ProjectFiles.documents(FOLDER.resolve("prometheus.yml")).getFirst(),
                "scrape_configs", 0, "static_configs", 0, "targets");
        assertThat(watched).isEqualTo(REPLICAS.stream()
                .map(name -> name + ":" + portOf(name.replaceFirst("-\\d$", "")))
                .toList());
        assertThat(at(services.get("prometheus"), "profiles")).isEqualTo(List.of("monitoring"));
        assertThat(at(services.get("grafana"), "profiles")).isEqualTo(List.of("monitoring"));
    }

    @Test
    void everyMountedFileExists() {
        services.forEach((name, service) -> {
            Object volumes = at(service, "volumes");
            for (Object volume : volumes == null ? List.of() : (List<?>) volumes) {
                String source = String.valueOf(volume).split(":")[0];
                if (source.startsWith(".")) {
                    assertThat(FOLDER.resolve(source)).as(name).isRegularFile();
                }
            }
        });
    }

    /** Images before 18 have their own volume at /var/lib/postgresql/data, which a recreated container does not use. */
    @Test
    void theDatabaseIsInTheNamedVolumeForEveryImageVersion() {
        Object postgres = services.get("postgres");
        assertThat(at(postgres, "volumes")).isEqualTo(List.of("data:/var/lib/postgresql"));
        assertThat(at(postgres, "environment", "PGDATA")).isEqualTo("/var/lib/postgresql/18/docker");
    }

    private static String portOf(String service) {
        return ProjectFiles.propertiesOf(service).getProperty("quarkus.http.port");
    }

    @Test
    void publishesPortsOnlyOnTheLoopbackAddress() {
        services.forEach((name, service) -> {
            Object ports = at(service, "ports");
            for (Object port : ports == null ? List.of() : (List<?>) ports) {
                assertThat(String.valueOf(port)).as(name).startsWith("127.0.0.1:");
            }
        });
    }

    @Test
    void givesEachServiceMoreTimeToStopThanItTakes() {
        for (String name : REPLICAS) {
            Object service = services.get(name);
            int delay = ProjectFiles.seconds((String) at(service, "environment", "QUARKUS_SHUTDOWN_DELAY"));
            // The delay lets the proxy notice the shutdown.
            assertThat(delay).isEqualTo(3);
            assertThat(ProjectFiles.seconds((String) at(service, "stop_grace_period"))).as(name)
                    .isGreaterThan(delay + ProjectFiles.secondsToStop(name.replaceFirst("-\\d$", "")));
            assertThat(at(service, "read_only")).isEqualTo(true);
        }
    }

    /** Returns the specification's schema without members whose forms its declared draft does not support. */
    private static JsonSchema schema() throws IOException {
        try (InputStream in = ComposeFileTest.class.getResourceAsStream("/compose/compose-spec.json")) {
            var node = (ObjectNode) JSON.readTree(in);
            node.remove("$schema");
            for (JsonNode named : node.findParents("id")) {
                if (named.path("id").isTextual()) {
                    ((ObjectNode) named).remove("id");
                }
            }
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V201909).getSchema(node);
        }
    }
}
