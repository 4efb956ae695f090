package io.berth.placement.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.ProviderRows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.Collections;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends large bodies to every route that accepts one. None may be parsed on an event loop (an assertion in {@link Json}
 * would turn the response into a 500), and their cost must be bounded.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LargeBodiesIT {
    @Inject
    Pool pool;

    static Stream<String> routesWithBodies() {
        return Stream.concat(
                Routes.withMethod("POST").map(path -> "POST " + path),
                Routes.withMethod("PUT").map(path -> "PUT " + path));
    }

    @ParameterizedTest
    @MethodSource("routesWithBodies")
    void refusesLargeInvalidBodies(String route) {
        String provider = ProviderRows.aProvider().with("VCPU", 8).insert(pool).toString();
        String[] words = route.split(" ");
        String path = words[1].replaceFirst("\\{\\}", provider).replace("{}", "CUSTOM_LARGE");
        Response answer = send(words[0], path, "1.39", "{\"x\":\"" + "y".repeat(2 * BodyWorker.INLINE_BYTES_MAX)
                + "\"}");
        // This route does not read the body.
        int expected = route.endsWith("/undo") ? 404 : 400;
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(expected);
    }

    @Test
    void refusesALargeBodyThatRenamesAClass() {
        assertThat(send("PUT", "/resource_classes/CUSTOM_A", "1.2", "[" + " ".repeat(BodyWorker.INLINE_BYTES_MAX) + "]")
                .statusCode())
                .isEqualTo(400);
    }

    @Test
    void refusesManyUnknownClassesNamingTheFirst() {
        Response answer = put(claim(10_000));
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(400);
        assertThat(answer.asString()).contains("No such resource class CUSTOM_0");
    }

    @Test
    void refusesMoreAmountsThanOneClaimMayName() {
        Response answer = put(claim(60_000));
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(400);
        assertThat(answer.asString()).contains("more than 50000 amounts");
    }

    @Test
    void refusesABodyThatWouldFillTheHeap() {
        String many = "{\"" + UUID.randomUUID() + "\":" + claim(400_000) + "}";
        Response answer = send("POST", "/allocations", "1.39", many);
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(400);
        assertThat(answer.asString()).contains("it has more than 700000 names, values and brackets");
    }

    /**
     * Regression test: every fault was described although only the first is reported, and one such body ended a
     * replica.
     */
    @Test
    void reportsOnlyTheFirstOfAMillionFaults() throws Exception {
        UUID provider = ProviderRows.aProvider().with("VCPU", 8).insert(pool);
        String body = "{\"resource_provider_generation\":0,\"traits\":[" + "1,".repeat(690_000) + "1]}";
        Callable<Response> sent = () -> send("PUT", "/resource_providers/" + provider + "/traits", "1.39", body);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Response> each : threads.invokeAll(Collections.nCopies(4, sent))) {
                Response answer = each.get();
                assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(400);
                assertThat(answer.asString()).contains("1 is not of type 'string'");
            }
        }
    }

    @Test
    void namesSomeOfManyUnknownTraits() {
        UUID provider = ProviderRows.aProvider().with("VCPU", 8).insert(pool);
        String names = IntStream.range(0, 300_000).mapToObj(i -> "\"T" + i + "\"").collect(Collectors.joining(","));
        Response answer = send("PUT", "/resource_providers/" + provider + "/traits", "1.39",
                "{\"resource_provider_generation\":0,\"traits\":[" + names + "]}");
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(400);
        assertThat(answer.asString()).contains("No such trait T0, T1, T10, ", ", and 299900 more")
                .hasSizeLessThan(3_000);
    }

    private String claim(int classes) {
        UUID provider = ProviderRows.aProvider().with("VCPU", 8).insert(pool);
        String resources =
                IntStream.range(0, classes).mapToObj(i -> "\"CUSTOM_" + i + "\":1").collect(Collectors.joining(","));
        return "{\"allocations\":{\"" + provider + "\":{\"resources\":{" + resources + "}}},"
                + "\"consumer_generation\":null,\"project_id\":\"p\",\"user_id\":\"u\",\"consumer_type\":\"INSTANCE\"}";
    }

    private static Response put(String claim) {
        return send("PUT", "/allocations/" + UUID.randomUUID(), "1.39", claim);
    }

    private static Response send(String method, String path, String version, String body) {
        return given().header("x-auth-token", "admin")
                .header("openstack-api-version", "placement " + version)
                .contentType("application/json").body(body)
                .request(method, path);
    }
}
