package io.berth.scheduler.placement.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.identity.IdentityConfig;
import io.berth.identity.keystone.KeystoneClient;
import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the credentials that are sent to placement, against an HTTP server that is also the token endpoint of a
 * provider. {@code deploy/test/keystone} tests tokens of Keystone.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class PlacementCredentialsIT {
    private static final Map<String, String> OIDC = Map.of(
            "berth.placement-auth.strategy", "oidc", "berth.placement-auth.oidc.token-url", "{}/token",
            "berth.placement-auth.oidc.client-id", "berth:1", "berth.placement-auth.oidc.client-secret", "a secret");

    @Inject
    Instance<KeystoneClient> keystone;

    @Inject
    TlsConfigurationRegistry tls;

    private final Vertx vertx = Vertx.vertx();
    private final List<String> sentCredentials = new CopyOnWriteArrayList<>();
    private final List<String> tokenRequests = new CopyOnWriteArrayList<>();
    private volatile String refused = "";
    private String url;
    /** Token as in a file that ends with a line break. */
    private String token = "our-token\n";

    @BeforeEach
    void start() {
        HttpServer server = vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
        url = "http://127.0.0.1:" + server.actualPort();
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void answer(HttpServerRequest request) {
        String authorization = request.getHeader("authorization");
        if (request.path().equals("/token")) {
            request.body().onSuccess(form -> {
                tokenRequests.add(authorization + " " + form);
                request.response().end("{\"access_token\": \"t" + tokenRequests.size() + "\", \"expires_in\": 3600}");
            });
            return;
        }
        sentCredentials.add(request.getHeader("x-auth-token") + " " + authorization);
        request.response().setStatusCode(refused.equals(authorization) ? 401 : 200).end("{}");
    }

    private PlacementCredentials credentials(Map<String, String> options) {
        Map<String, String> stated = new HashMap<>(options);
        stated.replaceAll((key, value) -> value.replace("{}", url));
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withSources(new PropertiesConfigSource(stated, "a test", 250))
                .withMapping(PlacementAuthConfig.class)
                .withMapping(IdentityConfig.class)
                .build();
        return new PlacementCredentials(
                config.getConfigMapping(PlacementAuthConfig.class), placement(),
                config.getConfigMapping(IdentityConfig.class), keystone, vertx, tls);
    }

    private PlacementConfig placement() {
        return new PlacementConfig(url, token, Duration.ofMinutes(5), Duration.ofMinutes(5), 4, 100);
    }

    /** Returns the statuses of so many requests, sent one after another. */
    private List<Integer> send(Map<String, String> options, int times) {
        return send(options, times, http -> http.repeatable(HttpMethod.GET, "/traits", "1.39", "req-1"));
    }

    private List<Integer> send(
            Map<String, String> options, int times, Function<PlacementHttp, Uni<PlacementHttp.Response>> request) {
        PlacementHttp http = new PlacementHttp(vertx, placement(), credentials(options).get(), tls.getDefault());
        try {
            return IntStream.range(0, times)
                    .mapToObj(i -> request.apply(http).await().atMost(Duration.ofMinutes(5)).status())
                    .toList();
        } finally {
            http.close();
        }
    }

    @Test
    void sendsTheConfiguredTokenByDefault() {
        assertThat(send(Map.of(), 1)).containsExactly(200);
        send(Map.of("berth.placement-auth.strategy", "token", "berth.auth.strategy", "keystone"), 1);
        assertThat(sentCredentials).containsExactly("our-token null", "our-token null");
    }

    @Test
    void doesNotRevealATokenThatIsInvalidInAHeader() {
        token = "our\u0001token";
        assertThatThrownBy(() -> credentials(Map.of())).hasMessageNotContaining("our");
        Map<String, String> spoilt = Map.of(
                "berth.placement-auth.strategy", "basic", "berth.placement-auth.username", "a",
                "berth.placement-auth.password", "b");
        PlacementHttp http = new PlacementHttp(vertx, placement(), credentials(spoilt).get(), tls.getDefault());
        assertThatThrownBy(() -> http.repeatable(HttpMethod.GET, "/traits", "1.39", "our\nrequest").await()
                .indefinitely())
                .hasMessageNotContaining("our").hasMessageContaining("header");
        http.close();
    }

    @Test
    void sendsUsernameAndPassword() {
        refused = "Basic " + base64("berth:pass:wörd");
        assertThat(send(Map.of(
                "berth.placement-auth.strategy", "basic", "berth.placement-auth.username", "berth",
                "berth.placement-auth.password", "pass:wörd"), 1)).as("nothing to renew").containsExactly(401);
        assertThat(sentCredentials).containsExactly("null " + refused);
    }

    @Test
    void sendsAnOidcTokenAndRenewsItAfterARefusal() {
        assertThat(send(OIDC, 2)).containsExactly(200, 200);
        assertThat(sentCredentials).containsExactly("null Bearer t1", "null Bearer t1");
        refused = "Bearer t2";
        assertThat(send(OIDC, 2)).containsExactly(200, 200);
        assertThat(sentCredentials.subList(2, 5)).containsExactly("null Bearer t2", "null Bearer t3", "null Bearer t3");
        assertThat(tokenRequests).hasSize(3)
                .containsOnly("Basic " + base64("berth%3A1:a+secret") + " grant_type=client_credentials");
    }

    @Test
    void retriesAnAnalysisWithANewTokenAfterARefusal() {
        refused = "Bearer t1";
        assertThat(send(OIDC, 1, http -> http.question(
                HttpMethod.GET, "/berth/v1/audit", "1.39", null, Duration.ofMinutes(5), "req-1"))).containsExactly(200);
        assertThat(sentCredentials).containsExactly("null Bearer t1", "null Bearer t2");
    }

    @Test
    void requestsTheConfiguredScope() {
        Map<String, String> scoped = new HashMap<>(OIDC);
        scoped.put("berth.placement-auth.oidc.scope", "placement api");
        send(scoped, 1);
        assertThat(tokenRequests).singleElement().asString()
                .endsWith(" grant_type=client_credentials&scope=placement+api");
    }

    @ParameterizedTest
    @CsvSource({
        "berth.placement-auth.strategy=basic, username is missing",
        "berth.placement-auth.strategy=basic berth.placement-auth.username=u, password is missing",
        "berth.placement-auth.strategy=oidc, oidc.token-url is missing",
        "berth.placement-auth.strategy=oidc berth.placement-auth.oidc.token-url=idp.example.org, "
                + "'oidc.token-url: it must be http://host:port or https://host:port'",
        "berth.placement-auth.strategy=oidc berth.placement-auth.oidc.token-url={}, oidc.client-id is missing",
        "berth.placement-auth.strategy=oidc berth.placement-auth.oidc.token-url={}"
                + " berth.placement-auth.oidc.client-id=b, oidc.client-secret is missing",
        "berth.placement-auth.strategy=tokens, 'strategy=tokens: must be one of token, keystone, basic, oidc'"})
    void refusesToStartWithIncompleteCredentials(String options, String message) {
        Map<String, String> stated = new HashMap<>();
        for (String option : options.split(" ")) {
            stated.put(option.split("=", 2)[0], option.split("=", 2)[1]);
        }
        assertThatThrownBy(() -> credentials(stated))
                .rootCause()
                .isInstanceOf(PreventFurtherStepsException.class)
                .hasMessage("berth.placement-auth." + message);
    }

    /** No Keystone account is configured here, so the error shows that one was looked up. */
    @Test
    void usesTheKeystoneAccountByDefaultIfCallersUseKeystone() {
        assertThatThrownBy(() -> credentials(Map.of("berth.auth.strategy", "keystone")))
                .rootCause()
                .hasMessage("berth.auth.keystone.url is missing");
    }

    private static String base64(String pair) {
        return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
}
