package io.berth.deploy.checks.kubernetes;

import static io.berth.deploy.checks.Yamls.at;
import static io.berth.deploy.checks.Yamls.map;
import static io.berth.deploy.checks.Yamls.maps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.berth.deploy.checks.ProjectFiles;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the Helm chart: it renders the same objects as the Kustomize base, and applies its values. Helm itself renders
 * it.
 */
class HelmChartTest {
    private static final Path FOLDER = ProjectFiles.ROOT.resolve("deploy/kubernetes");

    @Test
    void passesHelmLint() {
        var found = new Helm(FOLDER).lint().strict().call();
        assertThat(found.isFailed()).as(found.getMessages().toString()).isFalse();
    }

    @Test
    void rendersTheBaseExceptForImageLabelsAndChecksum() throws Exception {
        Map<String, Map<String, Object>> base = new TreeMap<>();
        for (Manifest manifest : Kustomize.assembled(FOLDER.resolve("base"))) {
            base.put(manifest.kind() + " " + manifest.name(), manifest.content());
        }
        Map<String, Map<String, Object>> chart = new TreeMap<>();
        for (Manifest manifest : rendered(template())) {
            chart.put(manifest.kind() + " " + manifest.name(), manifest.content());
        }
        chart.values().forEach(HelmChartTest::withoutWhatHelmAdds);
        base.values().forEach(HelmChartTest::withoutWhatHelmAdds);
        assertThat(base).hasSize(11);
        assertThat(chart).isEqualTo(base);
    }

    @Test
    void appliesItsValues() throws Exception {
        List<Manifest> objects = rendered(template()
                .set("image.registry", "registry.mine")
                .set("image.tag", "7.8")
                .set("image.pullSecrets[0]", "pull")
                .set("database.secret", "berth-postgres-app")
                .set("database.key", "url")
                .set("auth.secret", "mine")
                .set("options.BERTH_LOG_JSON", "yes")
                .set("scheduler.options.BERTH_DECISIONS_MAX", "12345")
                .set("placement.resources.limits.memory", "3Gi")
                .set("placement.maxReplicas", "9")
                .set("ingress.enabled", "true")
                .set("ingress.className", "haproxy")
                .set("ingress.schedulerHost", "scheduler.mine")
                .set("monitoring.enabled", "true"));
        for (Manifest object : objects) {
            object.check();
        }
        assertThat(only(objects, "ConfigMap", "berth").at("data", "BERTH_LOG_JSON")).isEqualTo("yes");
        for (String service : List.of("placement", "scheduler")) {
            Manifest deployment = only(objects, "Deployment", "berth-" + service);
            Object container = deployment.at("spec", "template", "spec", "containers", 0);
            assertThat(at(container, "image")).isEqualTo("registry.mine/berth-" + service + ":7.8");
            assertThat(deployment.at("spec", "template", "spec", "volumes", 0, "secret")).isEqualTo(Map.of(
                    "secretName", "berth-postgres-app",
                    "items", List.of(Map.of("key", "url", "path", "database-url"))));
            assertThat(at(container, "envFrom", 1, "secretRef", "name")).isEqualTo("mine");
            assertThat(deployment.at("spec", "template", "spec", "imagePullSecrets", 0, "name")).isEqualTo("pull");
        }
        Object placement =
                only(objects, "Deployment", "berth-placement").at("spec", "template", "spec", "containers", 0);
        assertThat(at(placement, "resources"))
                .isEqualTo(Map.of("requests", Map.of("cpu", "1", "memory", "1Gi"), "limits", Map.of("memory", "3Gi")));
        Object scheduler =
                only(objects, "Deployment", "berth-scheduler").at("spec", "template", "spec", "containers", 0);
        assertThat(at(scheduler, "env", 1)).isEqualTo(Map.of("name", "BERTH_DECISIONS_MAX", "value", "12345"));
        assertThat(only(objects, "HorizontalPodAutoscaler", "berth-placement").at("spec", "maxReplicas")).isEqualTo(9);
        Manifest ingress = only(objects, "Ingress", "berth");
        assertThat(ingress.at("spec", "ingressClassName")).isEqualTo("haproxy");
        assertThat(maps(ingress.at("spec", "rules"))).extracting(rule -> rule.get("host"))
                .containsExactly("placement.example.org", "scheduler.mine");
        assertThat(objects).anyMatch(object -> object.is("ServiceMonitor"));
    }

    @Test
    void rendersOptionsAsTextForAnyTypeOfValue(@TempDir Path folder) throws Exception {
        String options = "options: {BERTH_A: 80, BERTH_B: 20000000, BERTH_C: true, BERTH_D: 0.5, BERTH_E: \"1e3\"}";
        var expected =
                Map.of("BERTH_A", "80", "BERTH_B", "20000000", "BERTH_C", "true", "BERTH_D", "0.5", "BERTH_E", "1e3",
                        "BERTH_F", "90");
        Path values = Files.writeString(folder.resolve("values.yaml"), options + "\nscheduler: {" + options + "}\n");
        List<Manifest> objects = rendered(template().withValuesFile(values)
                .set("options.BERTH_F", 90)
                .set("scheduler.options.BERTH_F", 90));
        assertThat(map(only(objects, "ConfigMap", "berth").at("data"))).containsAllEntriesOf(expected);
        Object scheduler =
                only(objects, "Deployment", "berth-scheduler").at("spec", "template", "spec", "containers", 0);
        List<Map<String, Object>> variables = maps(at(scheduler, "env"));
        expected.forEach((name, value) -> assertThat(variables).contains(Map.of("name", name, "value", value)));
    }

    @Test
    void appliesClusterSpecificSettingsToPods(@TempDir Path folder) throws Exception {
        Path values = Files.writeString(folder.resolve("values.yaml"), """
                podAnnotations: {sidecar.example.org/inject: "false"}
                nodeSelector: {disk: ssd}
                tolerations: [{key: control-plane, operator: Exists}]
                serviceAccountName: berth
                extraEnv: [{name: BERTH_AUTH_KEYSTONE_PASSWORD, valueFrom: {secretKeyRef: {name: keystone, key: password}}}]
                extraVolumes: [{name: policy, configMap: {name: berth-policy}}]
                extraVolumeMounts: [{name: policy, mountPath: /etc/berth}]
                scheduler:
                  podAnnotations: {other: "yes"}
                  nodeSelector: {disk: any}
                  affinity: {nodeAffinity: {}}
                  extraVolumes: [{name: nova, secret: {secretName: nova-conf}}]
                  extraVolumeMounts: [{name: nova, mountPath: /etc/nova}]
                """);
        List<Manifest> objects = rendered(template().withValuesFile(values));
        for (Manifest object : objects) {
            object.check();
        }
        Object placement = only(objects, "Deployment", "berth-placement").at("spec", "template");
        assertThat(map(at(placement, "metadata", "annotations")))
                .containsEntry("sidecar.example.org/inject", "false").containsKey("checksum/options")
                .doesNotContainKey("other");
        assertThat(at(placement, "spec", "nodeSelector")).isEqualTo(Map.of("disk", "ssd"));
        assertThat(at(placement, "spec", "serviceAccountName")).isEqualTo("berth");
        assertThat(maps(at(placement, "spec", "volumes"))).extracting(each -> each.get("name"))
                .containsExactly("database", "policy");
        assertThat(maps(at(placement, "spec", "containers", 0, "env"))).extracting(each -> each.get("name"))
                .containsExactly("BERTH_DATABASE_URL_FILE", "BERTH_AUTH_KEYSTONE_PASSWORD");
        Object scheduler = only(objects, "Deployment", "berth-scheduler").at("spec", "template");
        assertThat(map(at(scheduler, "metadata", "annotations")))
                .containsEntry("sidecar.example.org/inject", "false").containsEntry("other", "yes");
        assertThat(at(scheduler, "spec", "nodeSelector")).isEqualTo(Map.of("disk", "any"));
        assertThat(at(scheduler, "spec", "affinity")).isEqualTo(Map.of("nodeAffinity", Map.of()));
        assertThat(maps(at(scheduler, "spec", "tolerations"))).hasSize(1);
        assertThat(maps(at(scheduler, "spec", "volumes"))).extracting(each -> each.get("name"))
                .containsExactly("database", "policy", "nova");
        assertThat(maps(at(scheduler, "spec", "containers", 0, "volumeMounts")))
                .extracting(each -> each.get("mountPath"))
                .containsExactly("/run/secrets/berth", "/etc/berth", "/etc/nova");
    }

    @ParameterizedTest
    @ValueSource(strings = {"scheduler.option.BERTH_LOG_JSON", "nodeSelectors.disk", "options.berth-log-json"})
    void refusesUnknownValues(String value) {
        assertThatThrownBy(() -> template().set(value, "yes").call())
                .hasMessageContaining("values don't meet the specifications");
    }

    private static TemplateCommand template() {
        return new Helm(FOLDER).template().withName("berth");
    }

    private static List<Manifest> rendered(TemplateCommand template) {
        return ProjectFiles.documents(new StringReader(template.call())).stream()
                .map(each -> new Manifest("chart", each))
                .toList();
    }

    private static Manifest only(List<Manifest> objects, String kind, String name) {
        List<Manifest> found = objects.stream().filter(each -> each.is(kind) && name.equals(each.name())).toList();
        assertThat(found).as(kind + " " + name).hasSize(1);
        return found.getFirst();
    }

    private static void withoutWhatHelmAdds(Map<String, Object> object) {
        map(at(object, "metadata", "labels")).keySet()
                .removeIf(label -> label.endsWith("/managed-by") || label.endsWith("/instance"));
        if ("Deployment".equals(object.get("kind"))) {
            map(at(object, "spec", "template", "metadata")).remove("annotations");
            Map<String, Object> container = map(at(object, "spec", "template", "spec", "containers", 0));
            container.remove("image");
            container.remove("imagePullPolicy");
        }
    }
}
