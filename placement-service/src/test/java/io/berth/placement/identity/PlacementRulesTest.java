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

class PlacementRulesTest {
    private static final Pattern ASKED = Pattern.compile("\\.allow\\(\"([^\"]+)\"");

    /** A rule that no route asks for, or a route whose rule does not exist, is a slip of ours. */
    @Test
    void theRulesAreThoseThatTheRoutesAskFor() throws IOException {
        Set<String> asked = new TreeSet<>();
        for (Path source : MainSources.endingIn("Endpoint.java")) {
            Matcher matcher = ASKED.matcher(Files.readString(source));
            while (matcher.find()) {
                asked.add(matcher.group(1));
            }
        }
        Set<String> ours = new PlacementRules().rules().stream()
                .map(DefaultRule::name)
                .filter(name -> name.startsWith("placement:"))
                .collect(Collectors.toSet());
        assertThat(ours).isEqualTo(asked).hasSize(37);
    }
}
