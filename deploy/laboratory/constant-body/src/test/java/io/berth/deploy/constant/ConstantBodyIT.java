package io.berth.deploy.constant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the packaged application that deploy/bench runs. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConstantBodyIT {
    private static final int BYTES = 4_321;

    private static Process start(int bytes) throws IOException {
        return new ProcessBuilder(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m",
                        "-Dquarkus.http.port=0", "-Dberth.constant-body.bytes=" + bytes,
                        "-jar", Path.of("target", "quarkus-app", "quarkus-run.jar").toString()))
                .redirectErrorStream(true)
                .start();
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    @Test
    void servesJsonOfThatSizeUntilItsStandardInputEnds() throws IOException, InterruptedException {
        Process process = start(BYTES);
        try (var client = HttpClient.newHttpClient()) {
            String line = output(process).readLine();
            assertThat(line).matches("port \\d+");
            URI uri = URI.create("http://127.0.0.1:" + line.substring("port ".length()) + "/constant");
            HttpResponse<byte[]> response =
                    client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("content-type")).hasValue("application/json;charset=UTF-8");
            assertThat(response.body()).hasSize(BYTES).containsOnly(' ');

            process.getOutputStream().close();
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ended").isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void exitsBeforeItListensIfTheSizeIsOutOfRange() throws IOException, InterruptedException {
        Process process = start(0);
        try {
            assertThat(output(process).lines())
                    .noneMatch(line -> line.startsWith("port "))
                    .anyMatch(line -> line.contains("berth.constant-body.bytes must be 1 to 67108864, not 0"));
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ended").isTrue();
            assertThat(process.exitValue()).isNotZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
