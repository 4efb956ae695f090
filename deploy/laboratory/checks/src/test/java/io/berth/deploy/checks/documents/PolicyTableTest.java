package io.berth.deploy.checks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks that the operator's table lists each rule of the scheduler, the callers that it admits, and whether {@code
 * reader_api} extends it.
 */
class PolicyTableTest {
    private static final Pattern RULE = Pattern.compile("DefaultRule\\.of\\(\"(scheduler:[^\"]+)\", (.+?)\\)[,;)]");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`scheduler:.+?) \\|.*\\| (.+?) \\|$");
    private static final Pattern REFERENCE = Pattern.compile("rule:(scheduler:[a-z_:]+)");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Map<String, String> WHO = Map.of(
            "\"rule:admin_api\"", "admin", "ADMIN_OR_SERVICE", "admin, service", "READER",
            "admin, service, `reader_api`");

    @Test
    void documentsEachRuleAndTheCallersItAdmits() throws IOException {
        Map<String, String> rules = new HashMap<>();
        RULE.matcher(read("scheduler-service/core/src/main/java/io/berth/scheduler/identity/SchedulerRules.java"))
                .results()
                .forEach(rule -> rules.put(rule.group(1), who(rule.group(2))));
        Map<String, String> documented = new HashMap<>();
        ROW.matcher(read("deploy/README.md")).results().forEach(row -> NAME.matcher(row.group(1)).results()
                .forEach(name -> documented.put(name.group(1), row.group(2))));
        assertThat(documented).isNotEmpty().isEqualTo(rules);
    }

    /**
     * Returns the documented callers of a check. A rule that refers to others admits only callers that all of them
     * admit.
     */
    private static String who(String check) {
        List<String> others = REFERENCE.matcher(check).results().map(other -> "`" + other.group(1) + "`").toList();
        return others.isEmpty()
                ? WHO.get(check)
                : "as " + String.join(" and ", others) + (others.size() > 1 ? " together" : "");
    }

    private static String read(String file) throws IOException {
        return Files.readString(ProjectFiles.ROOT.resolve(file));
    }
}
