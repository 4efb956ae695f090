package io.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Api;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first writes of a fresh process, watched by Vert.x' own checker, which looks at the event loops every 20 ms and
 * warns of what holds one up for 200. On a machine that itself stands still for so long a round says nothing: one round
 * of several has to be quiet.
 */
class FirstWriteIT {
    private static final int ROUNDS_MAX = 10;
    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://\\S+)");
    private static final String BLOCKED = "has been blocked for";

    @TempDir
    Path folder;

    @Test
    void holdsUpNoEventLoop() throws Exception {
        List<String> warnings = List.of("no round yet");
        for (int round = 0; round < ROUNDS_MAX && !warnings.isEmpty(); round++) {
            warnings = round(folder.resolve("round-" + round + ".log"));
            System.out.println("FirstWriteIT round " + round + ": " + warnings.size() + " warnings " + warnings);
        }
        assertThat(warnings).isEmpty();
    }

    private List<String> round(Path log) throws Exception {
        Path jar = Path.of("target", "quarkus-app", "quarkus-run.jar");
        assertThat(jar).exists();
        var builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
                "-Dquarkus.http.port=0", "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.vertx.warning-exception-time=0.02S", "-Dquarkus.vertx.max-event-loop-execute-time=0.2S",
                "-jar", jar.toString()).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("BERTH_DATABASE_URL", PostgresForTests.url());
        Process process = builder.start();
        try {
            String url = url(process, log);
            while (call(url, "GET", "/q/health/started", null) != 200) {
                Thread.sleep(100);
            }
            int before = Files.readAllLines(log).size();
            write(url);
            return Files.readAllLines(log).stream().skip(before).filter(line -> line.contains(BLOCKED)).toList();
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    /** One of each kind. */
    private void write(String url) throws Exception {
        UUID host = UUID.randomUUID();
        UUID vm = UUID.randomUUID();
        String provider = "/resource_providers/" + host;
        assertThat(call(url, "POST", "/resource_providers", "{\"name\":\"first-" + host + "\",\"uuid\":\"" + host + "\"}"))
                .isEqualTo(200);
        assertThat(call(url, "PUT", provider + "/inventories", """
                {"resource_provider_generation":0,"inventories":{"VCPU":{"total":8}}}""")).isEqualTo(200);
        assertThat(call(url, "PUT", "/traits/CUSTOM_FIRST", null)).isIn(201, 204);
        assertThat(call(url, "PUT", provider + "/traits", """
                {"resource_provider_generation":1,"traits":["CUSTOM_FIRST"]}""")).isEqualTo(200);
        assertThat(call(url, "PUT", provider + "/aggregates", """
                {"resource_provider_generation":2,"aggregates":["%s"]}""".formatted(vm))).isEqualTo(200);
        assertThat(call(url, "PUT", "/allocations/" + vm, """
                {"allocations":{"%s":{"resources":{"VCPU":1}}},"consumer_generation":null,"project_id":"p",\
                "user_id":"u","consumer_type":"INSTANCE"}""".formatted(host))).isEqualTo(204);
        assertThat(call(url, "DELETE", "/allocations/" + vm, null)).isEqualTo(204);
        assertThat(call(url, "DELETE", provider, null)).isEqualTo(204);
    }

    private static String url(Process process, Path log) throws IOException, InterruptedException {
        while (true) {
            Matcher listening = LISTENING.matcher(Files.readString(log));
            if (listening.find()) {
                return listening.group(1);
            }
            assertThat(process.isAlive()).as("ended before it listened").isTrue();
            Thread.sleep(100);
        }
    }

    private static int call(String url, String method, String path, String body) {
        return new Api(url).call(method, path, body, Duration.ofMinutes(5)).status();
    }
}
