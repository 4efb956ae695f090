package io.berth.deploy.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the fuzzer's request templates cover every route of the scheduler's specification. */
class RequestTemplateTest {
    private static final Path SPECIFICATION =
            Path.of("../../../scheduler-service/src/main/resources/META-INF/openapi.yaml");
    private static final Pattern PATH_OR_METHOD = Pattern.compile("(?m)^  (/.*):$|^    (get|put|post|delete):$");

    @Test
    void templatesCoverEveryRouteOfTheScheduler() throws IOException {
        List<RequestTemplate> known = RequestTemplate.all().stream()
                .filter(each -> !each.isForPlacement())
                .map(each -> each.withRandomValues(new SplittableRandom(1)))
                .toList();
        List<String> uncovered = new ArrayList<>();
        String path = "";
        Matcher found = PATH_OR_METHOD.matcher(Files.readString(SPECIFICATION));
        while (found.find()) {
            if (found.group(1) != null) {
                path = found.group(1);
                continue;
            }
            String method = found.group(2).toUpperCase(Locale.ROOT);
            String form = path.replaceAll("\\{[^/]+}", "[^/]+");
            if (known.stream().noneMatch(each -> each.method().equals(method) && each.path().matches(form))) {
                uncovered.add(method + " " + path);
            }
        }
        assertThat(path).isNotEmpty();
        assertThat(uncovered).isEmpty();
    }

    @Test
    void everyBodyIsJsonThatCanBeMutated() {
        var random = new SplittableRandom(1);
        for (RequestTemplate each : RequestTemplate.all()) {
            if (each.body() != null) {
                assertThat(new BodyMutation(random).mutate(each.withRandomValues(random).body())).isNotNull();
            }
        }
    }
}
