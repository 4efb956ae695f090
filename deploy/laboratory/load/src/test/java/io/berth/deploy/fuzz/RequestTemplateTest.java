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

class RequestTemplateTest {
    private static final Path SPECIFICATION =
            Path.of("../../../scheduler-service/src/main/resources/META-INF/openapi.yaml");
    private static final Pattern PATH_OR_METHOD = Pattern.compile("(?m)^  (/.*):$|^    (get|put|post|delete):$");

    @Test
    void everyRouteOfTheSchedulerIsAskedForHostilely() throws IOException {
        List<RequestTemplate> stories = RequestTemplate.all().stream()
                .filter(story -> !story.isForPlacement())
                .map(story -> story.withRandomValues(new SplittableRandom(1)))
                .toList();
        List<String> unasked = new ArrayList<>();
        String path = "";
        Matcher found = PATH_OR_METHOD.matcher(Files.readString(SPECIFICATION));
        while (found.find()) {
            if (found.group(1) != null) {
                path = found.group(1);
                continue;
            }
            String method = found.group(2).toUpperCase(Locale.ROOT);
            String form = path.replaceAll("\\{[^/]+}", "[^/]+");
            if (stories.stream().noneMatch(story -> story.method().equals(method) && story.path().matches(form))) {
                unasked.add(method + " " + path);
            }
        }
        assertThat(path).isNotEmpty();
        assertThat(unasked).isEmpty();
    }

    @Test
    void everyBodyIsJsonThatCanBeSpoilt() {
        var random = new SplittableRandom(1);
        for (RequestTemplate story : RequestTemplate.all()) {
            if (story.body() != null) {
                assertThat(new BodyMutation(random).mutate(story.withRandomValues(random).body())).isNotNull();
            }
        }
    }
}
