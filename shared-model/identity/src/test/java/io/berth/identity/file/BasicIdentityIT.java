package io.berth.identity.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the strategy basic. {@link TokenIdentityIT} tests changes of the file and many callers. */
@QuarkusTest
@QuarkusTestResource(
        value = SecretsForTests.class, restrictToAnnotatedClass = true,
        initArgs = @ResourceArg(name = "strategy", value = "basic"))
class BasicIdentityIT {
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TestHTTPResource("/whoami")
    URI whoami;

    private HttpResponse<String> get(String... lines) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(whoami);
        for (String line : lines) {
            request.header("authorization", line);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String encoded(String pair) {
        return Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }

    @Test
    void acceptsPasswordsOfTheFile() throws IOException, InterruptedException {
        for (int time = 0; time < 2; time++) {
            assertThat(get("Basic " + encoded("alice:Grü:ße")).body()).isEqualTo("alice null [member, reader]");
        }
        assertThat(get("bASIC " + encoded("nova:s3.cret")).body()).isEqualTo("nova p1 [service]");
        assertThat(get("Basic " + encoded("ops:s3cret")).body()).isEqualTo("ops null [admin] system");
    }

    @Test
    void refusesOtherCredentials() throws IOException, InterruptedException {
        String right = encoded("nova:s3.cret");
        for (String header : List.of(
                "Basic " + encoded("nova:s3.cre"), "Basic " + encoded("nova:"), "Basic " + encoded("nova"),
                "Basic " + encoded("alice:s3.cret"), "Basic " + encoded(":s3.cret"),
                // An unknown name, with the secret that is used internally if there is no entry.
                "Basic " + encoded("nobody:-"),
                "Basic " + Base64.getEncoder().encodeToString("alice:Grü:ße".getBytes(ISO_8859_1)),
                "Basic nova:s3.cret", "Basic " + right + "=", "Basic", "Basic ", "Basi " + right, "Bearer " + right,
                right, "Basic " + encoded("nova:" + "s".repeat(1_000)))) {
            var answer = get(header);
            assertThat(answer.statusCode()).as(header).isEqualTo(401);
            assertThat(answer.body()).isEqualTo("the header Authorization is missing or not valid");
            assertThat(answer.headers().firstValue("www-authenticate"))
                    .contains("Basic realm=\"berth\", charset=\"UTF-8\"");
        }
        assertThat(get().statusCode()).isEqualTo(401);
        assertThat(get("Basic " + right, "Basic " + right).statusCode()).as("two headers").isEqualTo(401);
    }
}
