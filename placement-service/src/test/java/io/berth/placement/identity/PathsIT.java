package io.berth.placement.identity;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.RawConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no spelling of a path bypasses authentication. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class PathsIT {
    /** These targets must not be parsed as the host and port of an absolute URL. */
    @ParameterizedTest
    @ValueSource(strings = {
        "//", "///", "////", "//?a=b", "//:80", "//:x", "//[", "//@", "//a:b:c/d", "//resource_providers", "//%zz",
        "/[", "/]", "/a[b]?c[d]=e", "/?[", "/#", "/resource_providers#x", "//traits//"})
    void treatsTargetsWithManySlashesAsUnknownPaths(String target) {
        try (var client = RawConnection.to("http://127.0.0.1:" + RestAssured.port)) {
            String end = " HTTP/1.1\r\nHost: a\r\n";
            RawConnection.Response answer = client.send("GET " + target + end + "\r\n").readResponse();
            boolean isHome = target.startsWith("/?");
            assertThat(answer.status()).isEqualTo(isHome ? 200 : 401);
            assertThat(answer.body()).startsWith("{");
            if (!isHome) {
                RawConnection.Response known =
                        client.send("GET " + target + end + "X-Auth-Token: admin\r\n\r\n").readResponse();
                assertThat(known.status()).isEqualTo(404);
                assertThat(known.body()).contains("\"status\":404").contains("\"request_id\"");
            }
        }
    }

    @Test
    void requiresATokenForEverySpellingOfAPath() {
        String[] paths = {
            "/resource_providers", "/resource_providers/", "//resource_providers", "/./resource_providers",
            "/q/../resource_providers", "/;a=b/resource_providers", "/resource_providers;a=b", "/%72esource_providers",
            "/q/resource_providers", "/nothing"
        };
        for (String path : paths) {
            assertThat(given().urlEncodingEnabled(false).get(path).statusCode()).as(path).isIn(401, 404);
        }
        assertThat(given().get("/resource_providers").statusCode()).isEqualTo(401);
        assertThat(given().get("/").statusCode()).isEqualTo(200);
        assertThat(given().get("/q/health/live").statusCode()).isEqualTo(200);
    }
}
