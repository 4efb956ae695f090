package io.berth.scheduler.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Version discovery of the scheduler's API: documents, capabilities and keystoneauth as a client. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class VersionsIT {
    /** Resolves the endpoint of a catalog with keystoneauth and calls it. */
    private static final String CLIENT = """
            import sys
            from keystoneauth1 import adapter, session, token_endpoint
            url = sys.argv[1]
            auth = token_endpoint.Token(url, 'admin')
            client = adapter.Adapter(session.Session(auth=auth), service_type='scheduler', min_version='1.0',
                                     max_version='1.latest')
            found = client.get_endpoint_data()
            print(found.api_version, found.url)
            print(session.Session(auth=auth).get(found.url.rstrip('/') + '/options').status_code)
            """;

    @TestHTTPResource
    URI service;

    @Test
    void versionsAreReadableWithoutAToken() {
        given().get("/").then()
                .statusCode(200)
                .contentType("application/json")
                .body("versions[0].id", equalTo("v1.0"))
                .body("versions[0].status", equalTo("CURRENT"))
                .body("versions[0].links[0].href", equalTo("v1/"));
        given().get("/v1").then()
                .statusCode(200)
                .body("version.id", equalTo("v1.0"))
                .body("version.links[0].rel", equalTo("self"));
        given().get("/v1/options").then().statusCode(401);
        given().header("x-auth-token", "admin").body("{}").contentType("application/json").post("/v1").then()
                .statusCode(405);
    }

    /** Clients read the capabilities before they send requests, so each one must be in the specification. */
    @Test
    void everyCapabilityIsInTheSpecification() {
        JsonPath specification = given().header("x-auth-token", "admin").get("/q/openapi?format=json").jsonPath();
        List<String> capabilities = given().get("/v1").then().statusCode(200).extract().path("capabilities");
        assertThat(capabilities).contains("request_spec.name", "POST /v1/moves/{migration_uuid}/confirm");
        Map<String, String> schemas = Map.of("request_spec", "RequestSpec", "instances", "Instance");
        for (String capability : capabilities) {
            String[] query = capability.split("\\?");
            String[] route = query[0].split(" ");
            String[] member = capability.split("\\.");
            assertThat(specification.<Object>get(route.length == 2
                    ? "paths.'%s'.%s".formatted(route[1], route[0].toLowerCase(Locale.ROOT))
                    : "components.schemas.%s.properties.%s".formatted(schemas.get(member[0]), member[1])))
                    .as(capability)
                    .isNotNull()
                    .satisfies(found -> assertThat(found.toString())
                            .contains(query.length == 1 ? "" : "components/parameters/" + query[1]));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/v1", "/v1/"})
    void keystoneauthFindsTheEndpoint(String endpoint) throws Exception {
        assumeTrue(run("import keystoneauth1").status() == 0, "keystoneauth (python3-keystoneauth1) is not installed");
        String url = service.getScheme() + "://" + service.getAuthority();
        Ran client = run(CLIENT, url + endpoint);
        assertThat(client.output()).isEqualTo("(1, 0) " + url + "/v1/\n200\n");
        assertThat(client.status()).isZero();
    }

    private record Ran(int status, String output) {}

    private static Ran run(String script, String... arguments) throws Exception {
        String[] command = new String[3 + arguments.length];
        command[0] = "/usr/bin/python3";
        command[1] = "-c";
        command[2] = script;
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(python.waitFor(), output);
    }
}
