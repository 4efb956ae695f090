package io.berth.deploy.checks;

import static io.berth.deploy.checks.Yamls.at;
import static io.berth.deploy.checks.Yamls.maps;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks that the alerts are the same for the Prometheus operator, and that each has a runbook. */
class MonitoringTest {
    @Test
    void theOperatorsRulesAreThoseOfTheFile() {
        assertThat(at(document("prometheus-rule.yaml"), "spec", "groups"))
                .isEqualTo(document("rules.yaml").get("groups"));
    }

    @Test
    void eachAlertHasItsRunbookAndEachRunbookItsAlert() throws IOException {
        List<Map<String, Object>> alerts = maps(at(document("rules.yaml"), "groups", 0, "rules"));
        List<String> sections = Files.readAllLines(ProjectFiles.ROOT.resolve("docs/runbooks.md")).stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring("## ".length()))
                .toList();
        assertThat(alerts).extracting(alert -> alert.get("alert")).hasSizeGreaterThan(10)
                .containsExactlyElementsOf(sections);
        assertThat(alerts).allSatisfy(alert -> assertThat(at(alert, "annotations", "runbook"))
                .isEqualTo("docs/runbooks.md#" + ((String) alert.get("alert")).toLowerCase(Locale.ROOT)));
    }

    private static Map<String, Object> document(String file) {
        return ProjectFiles.documents(ProjectFiles.ROOT.resolve("deploy/observability").resolve(file)).getFirst();
    }
}
