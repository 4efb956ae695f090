package io.berth.scheduler.legacy.attestation;

import static io.berth.scheduler.Written.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.SelfSigned;
import io.berth.scheduler.config.Options;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the client of the attestation service against a small HTTP server. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class AttestationIT {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration TIME_LIMIT = Duration.ofMinutes(5);

    @Inject
    Vertx vertx;

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final InstantSource clock = now::get;
    private AttestationServer server = AttestationServer.plain();
    private AttestationHttp client;
    private Duration timeout = TIME_LIMIT;

    @AfterEach
    void stop() {
        server.takes(0);
        server.close();
        if (client != null) {
            client.close();
        }
    }

    @Test
    void postsTheNodesAndReadsTheirLevels() {
        server.says("a", "trusted", NOON).says("b", "untrusted", NOON);
        var cache = cache("attestation_auth_blob: 'secret', attestation_api_url: '/api/V1'");

        assertThat(levels(cache, "a", "b", "c"))
                .isEqualTo(Map.of("a", "trusted", "b", "untrusted", "c", "unknown"));

        AttestationServer.Call call = server.calls().getFirst();
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.path()).isEqualTo("/api/V1/PollHosts");
        assertThat(call.body().get("count").intValue()).isEqualTo(3);
        assertThat(call.body().get("hosts")).extracting(node -> node.textValue())
                .containsExactlyInAnyOrder("a", "b", "c");
        assertThat(call.headers()).containsEntry("X-auth-blob", List.of("secret"));
        assertThat(call.headers()).doesNotContainKey("Authorization");
    }

    @Test
    void sendsABasicBlobAsAuthorization() {
        levels(cache("attestation_auth_blob: 'Basic dTpw'"), "a");
        assertThat(server.calls().getFirst().headers()).containsEntry("Authorization", List.of("Basic dTpw"));
    }

    @Test
    void cachesLevelsForTheTimeoutAndThenPollsAllNodesTogether() {
        server.says("a", "trusted", NOON).says("b", "trusted", NOON.minusSeconds(30));
        var cache = cache("attestation_auth_timeout: 60");
        levels(cache, "a", "b");
        now.set(NOON.plusSeconds(30));
        assertThat(levels(cache, "a")).containsEntry("a", "trusted");
        assertThat(levels(cache, "b")).containsEntry("b", "trusted");
        assertThat(server.calls()).hasSize(1);

        server.says("a", "untrusted", NOON.plusSeconds(31)).says("b", "trusted", NOON.plusSeconds(31));
        now.set(NOON.plusSeconds(31));
        assertThat(levels(cache, "b")).containsEntry("b", "trusted").containsEntry("a", "untrusted");
        assertThat(server.calls()).hasSize(2);
        assertThat(server.calls().get(1).body().get("hosts")).hasSize(2);
    }

    @Test
    void pollsNewNodesOnceEvenIfTheServiceDoesNotKnowThem() {
        var cache = cache("");
        server.says("a", "trusted", NOON);
        levels(cache, "a");
        levels(cache, "a", "z");
        levels(cache, "z");
        assertThat(server.calls()).hasSize(2);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "2026-11-21T12:00:00Z,            trusted",
        "2026-11-21T13:00:00+01:00,       trusted",
        "2026-11-21T12:00:00.250+0000,    trusted",
        "2026-11-21T11:59:59.123456789Z,  trusted",
        "2026-11-21 12:00:00,             trusted",
        "Sat Nov 21 12:00:00 2026,        trusted",
        "Sun Nov  1 12:00:00 2026,        trusted",
        "yesterday,                       unknown",
        "'',                              unknown"})
    void readsSeveralTimeFormatsAndTrustsNoNodeWithoutATime(String time, String level) {
        server.says("a", "trusted", time);
        assertThat(levels(cache(""), "a")).containsEntry("a", level);
    }

    @Test
    void aTimeInTheFutureCountsAsNow() {
        server.says("a", "trusted", NOON.plusSeconds(86_400));
        var cache = cache("attestation_auth_timeout: 60");
        levels(cache, "a");
        now.set(NOON.plusSeconds(61));
        levels(cache, "a");
        assertThat(server.calls()).hasSize(2);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "status 500          | 500 | {\"hosts\": []}",
        "status 401          | 401 | {\"hosts\": []}",
        "no JSON             | 200 | <html>",
        "no list of hosts    | 200 | {\"hosts\": 1}",
        "a list of something | 200 | {\"hosts\": [1, {\"host_name\": 2}, {\"host_name\": \"a\"}]}"})
    void reportsUnknownForErrorsAndInvalidResponses(String name, int status, String answer) {
        server.failsWith(status);
        server.saysInstead(answer);
        assertThat(levels(cache(""), "a")).isEqualTo(Map.of("a", "unknown"));
    }

    @Test
    void waitsNoLongerThanItsTimeout() {
        server.says("a", "trusted", NOON);
        server.takes(Duration.ofDays(1).toMillis());
        timeout = Duration.ofMillis(500);
        assertThat(levels(cache(""), "a")).isEqualTo(Map.of("a", "unknown"));
    }

    @Test
    void stopsPollingForAWhileAfterRepeatedFailures() {
        server.failsWith(500);
        var cache = cache("");
        for (int i = 0; i < 10; i++) {
            levels(cache, "a");
        }
        assertThat(server.calls()).hasSize(4);
    }

    @Test
    void concurrentRequestsShareOneCall() {
        server.says("a", "trusted", NOON);
        server.takes(200);
        var cache = cache("");
        var waiting = IntStream.range(0, 20)
                .mapToObj(i -> cache.attestationsOf(Set.of("a")).subscribeAsCompletionStage())
                .toList();
        waiting.forEach(each -> assertThat(each.join().get("a").level()).isEqualTo("trusted"));
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void verifiesTheCertificateUnlessConfiguredOtherwise(@TempDir Path folder) throws Exception {
        server.close();
        server = AttestationServer.tls(certified(folder));
        server.says("a", "trusted", NOON);
        String ca = "attestation_server_ca_file: '" + folder.resolve("ca.pem") + "'";

        assertThat(levels(tls(""), "a")).containsEntry("a", "unknown");
        assertThat(server.calls()).isEmpty();
        assertThat(levels(tls(ca), "a")).containsEntry("a", "trusted");
        assertThat(levels(tls("attestation_insecure_ssl: true"), "a")).containsEntry("a", "trusted");
    }

    private AttestationCache cache(String members) {
        return cache("http://127.0.0.1", members);
    }

    private AttestationCache tls(String members) {
        return cache("localhost", members);
    }

    private AttestationCache cache(String name, String members) {
        Options.TrustedComputing stated = options(
                "trusted_computing: {attestation_server: '%s', attestation_port: %d%s}"
                        .formatted(name, server.port(), members.isEmpty() ? "" : ", " + members))
                .trustedComputing();
        client = new AttestationHttp(vertx, name, stated, timeout);
        return new AttestationCache(client::poll, Duration.ofSeconds(stated.attestationAuthTimeoutSeconds()), clock);
    }

    private static Map<String, String> levels(AttestationCache cache, String... nodes) {
        Map<String, String> levels = new TreeMap<>();
        cache.attestationsOf(new LinkedHashSet<>(List.of(nodes))).await().atMost(TIME_LIMIT.multipliedBy(2))
                .forEach((node, attestation) -> levels.put(node, attestation.level()));
        return levels;
    }

    /**
     * Returns a TLS context with a self-signed certificate of localhost, which is its own authority in {@code ca.pem}.
     */
    private static SSLContext certified(Path folder) throws GeneralSecurityException {
        SelfSigned certificate = SelfSigned.of("dns:localhost").writeCertificate(folder.resolve("ca.pem"));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(certificate.keys(), SelfSigned.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
