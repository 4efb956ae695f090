package io.berth.identity.file;

import static io.berth.identity.file.SecretsForTests.entries;
import static io.berth.identity.file.SecretsForTests.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.LogLines;
import io.berth.identity.Edits;
import io.berth.identity.WatchedFile;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** Tests the strategy token, and what it shares with basic: changes of the file, and many callers. */
@QuarkusTest
@QuarkusTestResource(
        value = SecretsForTests.class, restrictToAnnotatedClass = true,
        initArgs = @ResourceArg(name = "strategy", value = "token"))
class TokenIdentityIT {
    private static final String NOVA = "nova p1 [service]";
    private static final int WAITING_MAX = 64;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path file = Path.of(ConfigProvider.getConfig().getValue("berth.auth.file", String.class));

    @TestHTTPResource("/whoami")
    URI whoami;

    @Inject
    SecretCheck secrets;

    private CompletableFuture<HttpResponse<String>> send(String... tokens) {
        HttpRequest.Builder request = HttpRequest.newBuilder(whoami);
        for (String token : tokens) {
            request.header("x-auth-token", token);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String... tokens) {
        return send(tokens).join();
    }

    private void edit(String entries) throws IOException {
        Edits.replace(file, entries);
        Edits.notice(secrets.file);
    }

    @Test
    void acceptsSecretsOfTheFile() {
        for (int time = 0; time < 2; time++) {
            assertThat(get("nova.s3.cret").body()).isEqualTo(NOVA);
        }
        assertThat(get("ops.s3cret").body()).isEqualTo("ops null [admin] system");
    }

    @Test
    void refusesOtherTokens() {
        for (String token : List.of(
                "nova.s3.cre", "nova.", "nova", ".s3.cret", ".", "", "alice.s3.cret", "Nova.s3.cret", "nova.s3.cret,",
                // An unknown name, with the secret that is used internally if there is no entry.
                "nobody.-", "nova." + "s".repeat(2_000))) {
            var answer = get(token);
            assertThat(answer.statusCode()).as(token).isEqualTo(401);
            assertThat(answer.body()).isEqualTo("the header x-auth-token is missing or not valid");
            assertThat(answer.headers().firstValue("www-authenticate")).contains("Token realm=\"berth\"");
        }
        assertThat(get().statusCode()).isEqualTo(401);
        assertThat(get("nova.s3.cret", "nova.s3.cret").statusCode()).as("two headers").isEqualTo(401);
    }

    @Test
    void usesTheCurrentFile() throws IOException {
        edit(entries() + entry("leaves", "a", "p1 reader") + entry("changes", "a", "p1 reader"));
        assertThat(get("leaves.a").statusCode()).isEqualTo(200);
        assertThat(get("changes.a").statusCode()).isEqualTo(200);
        assertThat(get("comes.a").statusCode()).isEqualTo(401);

        edit(entries() + entry("comes", "a", "p2 reader") + entry("changes", "b", "p2 member"));
        assertThat(get("comes.a").body()).isEqualTo("comes p2 [reader]");
        assertThat(get("leaves.a").statusCode()).isEqualTo(401);
        assertThat(get("changes.a").statusCode()).isEqualTo(401);
        assertThat(get("changes.b").body()).isEqualTo("changes p2 [member]");
    }

    @Test
    void keepsThePreviousFileWhileTheNewOneIsInvalidOrMissing() throws IOException {
        edit(entries() + entry("known", "a", "p1 reader") + entry("new", "a", "p1 reader"));
        assertThat(get("known.a").statusCode()).isEqualTo(200);
        try (LogLines log = LogLines.of(WatchedFile.class)) {
            edit(entries() + "no entry\n");
            Files.delete(file);
            Edits.notice(secrets.file);
            String kept = "; the previous version stays in force";
            assertThat(log.lines()).containsExactly(
                    "berth.auth.file=" + file + ": line 4: an entry must be NAME HASH PROJECT ROLES" + kept,
                    "berth.auth.file=" + file + ": cannot be read: there is no such file" + kept);
        }
        assertThat(get("known.a").statusCode()).isEqualTo(200);
        assertThat(get("new.a").statusCode()).isEqualTo(200);
        assertThat(get("new.b").statusCode()).isEqualTo(401);
        edit(entries());
        assertThat(get("known.a").statusCode()).isEqualTo(401);
    }

    @Test
    void limitsWaitingChecksAndReturns503ToTheOthers() {
        assertThat(get("nova.s3.cret").body()).isEqualTo(NOVA);
        var crowd = IntStream.range(0, 10 * WAITING_MAX).mapToObj(i -> send("nova.guess" + i)).toList();
        assertThat(get("nova.s3.cret").body()).as("cached credentials do not wait").isEqualTo(NOVA);
        List<HttpResponse<String>> answers = crowd.stream().map(CompletableFuture::join).toList();
        var refused = answers.stream().filter(answer -> answer.statusCode() == 401).toList();
        var unavailable = answers.stream().filter(answer -> answer.statusCode() == 503).toList();
        assertThat(refused).hasSizeGreaterThan(WAITING_MAX);
        assertThat(unavailable).isNotEmpty().hasSize(answers.size() - refused.size()).allSatisfy(
                answer -> assertThat(answer.body()).isEqualTo("Too many credentials wait to be checked."));
        assertThat(get("nova.guess" + answers.indexOf(unavailable.getFirst())).statusCode()).isEqualTo(401);
    }
}
