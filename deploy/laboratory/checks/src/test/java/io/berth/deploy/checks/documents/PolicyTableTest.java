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
 * The operator's table of the scheduler's rules has each of them, who it lets in, and whether `reader_api` opens it.
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
    void tellsEachRuleAndWhoItLetsIn() throws IOException {
        Map<String, String> rules = new HashMap<>();
        RULE.matcher(read("scheduler-service/core/src/main/java/io/berth/scheduler/identity/SchedulerRules.java"))
                .results()
                .forEach(rule -> rules.put(rule.group(1), who(rule.group(2))));
        Map<String, String> documented = new HashMap<>();
        ROW.matcher(read("deploy/README.md")).results().forEach(row -> NAME.matcher(row.group(1)).results()
                .forEach(name -> documented.put(name.group(1), row.group(2))));
        assertThat(documented).isNotEmpty().isEqualTo(rules);
    }

    /** A rule that refers to others lets in whom all of them let in. */
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
