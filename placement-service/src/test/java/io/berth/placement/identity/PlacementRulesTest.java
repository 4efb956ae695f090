package io.berth.placement.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.identity.policy.DefaultRule;
import io.berth.placement.MainSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares the policy rules with those that the endpoints check. */
class PlacementRulesTest {
    private static final Pattern RULE_CHECK = Pattern.compile("\\.allow\\(\"([^\"]+)\"");

    /** A rule that no route checks, or a route whose rule does not exist, is a programming error. */
    @Test
    void rulesEqualThoseThatRoutesCheck() throws IOException {
        Set<String> checked = new TreeSet<>();
        for (Path source : MainSources.endingIn("Endpoint.java")) {
            Matcher matcher = RULE_CHECK.matcher(Files.readString(source));
            while (matcher.find()) {
                checked.add(matcher.group(1));
            }
        }
        Set<String> defined = new PlacementRules().rules().stream()
                .map(DefaultRule::name)
                .filter(name -> name.startsWith("placement:"))
                .collect(Collectors.toSet());
        assertThat(defined).isEqualTo(checked).hasSize(37);
    }
}
