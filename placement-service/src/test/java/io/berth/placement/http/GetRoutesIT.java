package io.berth.placement.http;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.wire.Wire;
import io.berth.model.DatabaseUrl;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls every GET route of the route table while the database hangs, or while all connections of the catalog pool are
 * taken.
 */
@QuarkusTest
@QuarkusTestResource(value = GetRoutesIT.PostgresBehindAWire.class, restrictToAnnotatedClass = true)
class GetRoutesIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final String HANGS = "The database does not answer: it hangs.";
    /** Routes whose content is in no table. */
    private static final Set<String> FROM_MEMORY = Set.of("/", "/berth/v1/replica");

    private static Wire wire;

    @Inject
    Pool catalogue;

    @ConfigProperty(name = "quarkus.datasource.reactive.max-size")
    int catalogueMax;

    private final Map<String, String> paths = new LinkedHashMap<>();

    /** PostgresForTests serves all classes and sets the URL of the database; the URL of each pool takes precedence. */
    public static final class PostgresBehindAWire implements QuarkusTestResourceLifecycleManager {
        @Override
        public Map<String, String> start() {
            int port = PostgresForTests.port();
            wire = Wire.to(port);
            String url = DatabaseUrl.parse(PostgresForTests.url()).reactiveUrl("placement")
                    .replace(":" + port, ":" + wire.port());
            return Map.of(
                    "quarkus.datasource.reactive.url", url,
                    "quarkus.datasource.fleet.reactive.url", url,
                    "quarkus.datasource.reads.reactive.url", url,
                    "quarkus.datasource.ledger.reactive.url", url);
        }

        @Override
        public void stop() {
            wire.close();
        }
    }

    @BeforeEach
    void fillInTheRoutes() {
        UUID provider = aProvider().with("VCPU", 8).insert(catalogue);
        Routes.withMethod("GET").forEach(route -> {
            String path = switch (route) {
                case "/resource_classes/{}" -> "/resource_classes/VCPU";
                case "/traits/{}" -> "/traits/HW_CPU_X86_AVX2";
                case "/allocation_candidates", "/berth/v1/candidates",
                        "/berth/v1/allocation_candidates/explanation" -> route + "?resources=VCPU:1";
                case "/usages" -> "/usages?project_id=p";
                default -> route.replaceFirst("\\{\\}", provider.toString()).replace("{}", "VCPU");
            };
            paths.put(route, path);
        });
    }

    @Test
    void servesEveryRouteWhileTheCatalogPoolIsExhausted() {
        List<SqlConnection> taken = new ArrayList<>();
        try {
            for (int i = 0; i < catalogueMax; i++) {
                taken.add(catalogue.getConnection().await().atMost(ANSWER_MAX));
            }
            paths.forEach((route, path) -> {
                Response answer = get(path);
                assertThat(answer.statusCode()).as(route + " " + answer.asString()).isBetween(200, 204);
            });
        } finally {
            taken.forEach(connection -> connection.close().await().atMost(ANSWER_MAX));
        }
    }

    @Test
    void refusesEveryRouteAtOnceWhileTheDatabaseHangs() throws Exception {
        String waiting = paths.get("/allocations/{}");
        assertThat(get(waiting).statusCode()).isEqualTo(200);
        wire.stall();
        try {
            var pending = CompletableFuture.supplyAsync(() -> get(waiting).asString(), Thread.ofPlatform()::start);
            eventually("the hang is detected", () -> get("/resource_providers").asString().contains(HANGS));
            // The request may also reach its own timeout first.
            assertThat(pending.get()).as("request before the detection").contains("The database does not answer");
            paths.forEach((route, path) -> {
                if (!FROM_MEMORY.contains(route)) {
                    Response answer = get(path);
                    assertThat(answer.statusCode()).as(route).isEqualTo(503);
                    assertThat(answer.asString()).as(route).contains(HANGS);
                }
            });
        } finally {
            wire.pass();
            // Each pool detects the recovery by itself.
            paths.forEach((route, path) -> eventually(route + " is back", () -> get(path).statusCode() <= 204));
        }
    }

    private static Response get(String path) {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.39").get(path);
    }
}
