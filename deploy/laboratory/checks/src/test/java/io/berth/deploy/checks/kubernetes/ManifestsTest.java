package io.berth.deploy.checks.kubernetes;

import static io.berth.deploy.checks.Yamls.at;
import static io.berth.deploy.checks.Yamls.map;
import static io.berth.deploy.checks.Yamls.maps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the manifests of {@code deploy/kubernetes} against the schemas of Kubernetes, each other and the services'
 * properties.
 */
class ManifestsTest {
    private static final Path FOLDER = ProjectFiles.ROOT.resolve("deploy/kubernetes");
    private static final String KUSTOMIZATION = "kustomization.yaml";
    private static final Set<Path> CHART =
            Set.of(Path.of("Chart.yaml"), Path.of("values.yaml"), Path.of("templates/berth.yaml"));
    /** Files in the monitoring folder that are not manifests. */
    private static final Set<String> NO_MANIFESTS = Set.of("rules.yaml", "dashboard.json");
    private static final int MANAGEMENT_PORT = 9000;

    static List<Manifest> manifests() {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml") && !file.endsWith(KUSTOMIZATION))
                    .filter(file -> !CHART.contains(FOLDER.relativize(file)))
                    .sorted()
                    .flatMap(file -> ProjectFiles.documents(file).stream()
                            .map(content -> new Manifest(FOLDER.relativize(file).toString(), content)))
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    static List<Manifest> deployments() {
        return manifests().stream().filter(manifest -> manifest.is("Deployment")).toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("manifests")
    void conformsToTheSchemaOfItsKind(Manifest manifest) throws IOException {
        manifest.check();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {port: [{port: 1}]}}",
        "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{name: http}]}}",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 1}}",
        "{apiVersion: v1, kind: Servise, metadata: {name: a}}"})
    void theCheckerRefusesInvalidManifests(String yaml) {
        var wrong = new Manifest("made up", ProjectFiles.documents(new StringReader(yaml)).getFirst());
        assertThatThrownBy(wrong::check).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "example", "cloudnative-pg", "backup", "ingress", "../observability"})
    void aKustomizationListsEachFileOfItsFolder(String folder) throws IOException {
        var kustomization = ProjectFiles.documents(FOLDER.resolve(folder).resolve(KUSTOMIZATION)).getFirst();
        Set<String> listed = new HashSet<>();
        for (Object resource : (List<?>) kustomization.get("resources")) {
            Path path = FOLDER.resolve(folder).resolve((String) resource).normalize();
            assertThat(path).as(folder + " lists " + resource).exists();
            if (Files.isDirectory(path)) {
                assertThat(path.resolve(KUSTOMIZATION)).exists();
            } else {
                listed.add(path.getFileName().toString());
            }
        }
        try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
            assertThat(files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(KUSTOMIZATION) && !NO_MANIFESTS.contains(name)))
                    .containsExactlyInAnyOrderElementsOf(listed);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("deployments")
    void containerPortsMatchTheServiceAndTheProbes(Manifest deployment) {
        String service = deployment.name().replace("berth-", "");
        Map<String, Object> container = container(deployment);
        int port = Integer.parseInt(ProjectFiles.propertiesOf(service).getProperty("quarkus.http.port"));
        assertThat(maps(container.get("ports"))).containsExactly(
                Map.of("name", "http", "containerPort", port),
                Map.of("name", "management", "containerPort", MANAGEMENT_PORT));
        assertThat(only("ConfigMap", "berth").at("data", "BERTH_MANAGEMENT_PORT"))
                .isEqualTo(String.valueOf(MANAGEMENT_PORT));
        Map.of("startupProbe", "started", "readinessProbe", "ready", "livenessProbe", "live").forEach((probe, kind) -> {
            assertThat(at(container, probe, "httpGet", "port")).as(probe).isEqualTo("management");
            assertThat(at(container, probe, "httpGet", "path")).as(probe).isEqualTo("/q/health/" + kind);
        });
        Manifest front = only("Service", deployment.name());
        assertThat(maps(front.at("spec", "ports"))).containsExactly(
                Map.of("name", "http", "port", port, "targetPort", "http"),
                Map.of("name", "management", "port", MANAGEMENT_PORT, "targetPort", "management"));
        assertThat(map(podLabels(deployment))).containsAllEntriesOf(map(front.at("spec", "selector")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("deployments")
    void isSelectedByItsBudgetAutoscalerAndNetworkPolicy(Manifest deployment) {
        Map<String, Object> labels = map(podLabels(deployment));
        assertThat(labels).containsAllEntriesOf(map(deployment.at("spec", "selector", "matchLabels")));
        assertThat(labels).containsAllEntriesOf(
                map(only("PodDisruptionBudget", deployment.name()).at("spec", "selector", "matchLabels")));
        assertThat(labels).containsAllEntriesOf(
                map(only("NetworkPolicy", deployment.name()).at("spec", "podSelector", "matchLabels")));
        Manifest autoscaler = only("HorizontalPodAutoscaler", deployment.name());
        assertThat(autoscaler.at("spec", "scaleTargetRef", "name")).isEqualTo(deployment.name());
        assertThat((Integer) autoscaler.at("spec", "minReplicas")).isGreaterThan(1);
        // The autoscaler owns the count: a count here would reset it at every update.
        assertThat(deployment.at("spec", "replicas")).isNull();
    }

    /** Clients must not reach the metrics, and monitoring must not reach the API. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("deployments")
    void networkPolicySeparatesMonitoringFromClients(Manifest deployment) {
        Map<Object, Object> portOfLabel = new HashMap<>();
        for (Map<String, Object> rule : maps(only("NetworkPolicy", deployment.name()).at("spec", "ingress"))) {
            for (Map<String, Object> from : maps(rule.get("from"))) {
                Object labels =
                        at(from, from.containsKey("podSelector") ? "podSelector" : "namespaceSelector", "matchLabels");
                maps(rule.get("ports")).forEach(port -> portOfLabel.put(labels, port.get("port")));
            }
        }
        assertThat(portOfLabel)
                .containsEntry(Map.of("berth.io/client", "true"), "http")
                .containsEntry(Map.of("berth.io/monitoring", "true"), "management");
    }

    /** Some peers are outside the reach of selectors, such as a DNS cache of the node or an external server. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("deployments")
    void networkPolicyAllowsThePortsOfPeersAtAnyAddress(Manifest deployment) {
        Set<Object> ports = new HashSet<>();
        for (Map<String, Object> rule : maps(only("NetworkPolicy", deployment.name()).at("spec", "egress"))) {
            if (!rule.containsKey("to")) {
                maps(rule.get("ports")).forEach(
                        port -> ports.add(port.getOrDefault("protocol", "TCP") + " " + port.get("port")));
            }
        }
        assertThat(ports).as("DNS").contains("UDP 53", "TCP 53");
        assertThat(ports).as("PostgreSQL").contains("TCP 5432");
        assertThat(ports).as("Keystone, OpenID Connect").contains("TCP 5000", "TCP 443");
        assertThat(ports).as("OTLP").contains("TCP 4317", "TCP 4318");
        if (deployment.name().equals("berth-scheduler")) {
            assertThat(ports).as("[trusted_computing] attestation_port").contains("TCP 8443");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("deployments")
    void readsOnlyConfigurationThatExists(Manifest deployment) {
        Map<String, Object> container = container(deployment);
        for (Map<String, Object> from : maps(container.get("envFrom"))) {
            from.forEach((kind, reference) -> only(
                    kind.equals("secretRef") ? "Secret" : "ConfigMap", (String) at(reference, "name")));
        }
        for (Map<String, Object> volume : maps(deployment.at("spec", "template", "spec", "volumes"))) {
            Manifest secret = only("Secret", (String) at(volume, "secret", "secretName"));
            assertThat(map(secret.at("stringData"))).containsKey((String) at(volume, "secret", "items", 0, "key"));
        }
    }

    /** Anyone who may describe the pod can see its environment. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("deployments")
    void readsTheDatabasesUrlFromAMountedFile(Manifest deployment) {
        Map<String, Object> container = container(deployment);
        String folder = (String) at(container, "volumeMounts", 0, "mountPath");
        String file = (String) deployment.at("spec", "template", "spec", "volumes", 0, "secret", "items", 0, "path");
        assertThat(maps(container.get("env")))
                .containsExactly(Map.of("name", "BERTH_DATABASE_URL_FILE", "value", folder + "/" + file));
        assertThat(at(container, "volumeMounts", 0, "readOnly")).isEqualTo(true);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("deployments")
    void meetsTheRestrictedPodSecurityStandardOnAReadOnlyRoot(Manifest deployment) {
        Object pod = deployment.at("spec", "template", "spec");
        assertThat(at(pod, "securityContext", "runAsNonRoot")).isEqualTo(true);
        assertThat(at(pod, "securityContext", "seccompProfile", "type")).isEqualTo("RuntimeDefault");
        assertThat(at(pod, "automountServiceAccountToken")).isEqualTo(false);
        assertThat(at(pod, "enableServiceLinks")).as("variables that look like options").isEqualTo(false);
        Object security = container(deployment).get("securityContext");
        assertThat(security).isEqualTo(Map.of(
                "allowPrivilegeEscalation", false,
                "readOnlyRootFilesystem", true,
                "capabilities", Map.of("drop", List.of("ALL"))));
        assertThat(at(container(deployment), "resources", "limits", "memory")).isNotNull();
    }

    @Test
    void gracePeriodExceedsTheTimeThatTheServiceNeedsToStop() {
        int delay = ProjectFiles.seconds((String) only("ConfigMap", "berth").at("data", "QUARKUS_SHUTDOWN_DELAY"));
        for (Manifest deployment : deployments()) {
            String service = deployment.name().replace("berth-", "");
            assertThat((Integer) deployment.at("spec", "template", "spec", "terminationGracePeriodSeconds"))
                    .isGreaterThan(delay + ProjectFiles.secondsToStop(service));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "example", "cloudnative-pg", "backup"})
    void isAssembledByKustomizeIntoValidObjects(String folder) throws Exception {
        List<Manifest> assembled = Kustomize.assembled(FOLDER.resolve(folder));
        for (Manifest manifest : assembled) {
            manifest.check();
        }
        assertThat(assembled).filteredOn(manifest -> manifest.is("Deployment")).hasSize(2).allSatisfy(deployment -> {
            String secret = (String) deployment.at("spec", "template", "spec", "volumes", 0, "secret", "secretName");
            // CloudNativePG's operator makes the Secret of its cluster.
            assertThat(secret).isEqualTo(folder.equals("cloudnative-pg") || folder.equals("backup")
                    ? "berth-postgres-app"
                    : "berth-database");
            assertThat(map(podLabels(deployment))).containsEntry("app.kubernetes.io/part-of", "berth");
        });
        boolean ownSecret = assembled.stream().anyMatch(each -> "berth-database".equals(each.name()));
        assertThat(ownSecret).isEqualTo(folder.equals("example"));
    }

    private static Manifest only(String kind, String name) {
        List<Manifest> found = manifests().stream()
                .filter(manifest -> manifest.is(kind) && name.equals(manifest.name()))
                .toList();
        assertThat(found).as(kind + " " + name).hasSize(1);
        return found.getFirst();
    }

    private static Map<String, Object> container(Manifest deployment) {
        return map(deployment.at("spec", "template", "spec", "containers", 0));
    }

    private static Object podLabels(Manifest deployment) {
        return deployment.at("spec", "template", "metadata", "labels");
    }
}
