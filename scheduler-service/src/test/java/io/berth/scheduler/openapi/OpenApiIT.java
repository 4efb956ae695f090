package io.berth.scheduler.openapi;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.quarkus.NonGetRoutes;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that the served OpenAPI document describes every route. {@link DocumentedResponses} checks responses against
 * it.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class OpenApiIT {
    private static final Pattern CHOICE = Pattern.compile("\\{\\w+: ([\\w|]+)}");
    private static final Set<String> NAME_RECORDS_OUTSIDE_THE_PATH =
            Set.of("POST /v1/explanations", "POST /v1/proposals", "POST /v1/what_if", "GET /v1/decisions",
                    "GET /v1/moves");

    @TestHTTPResource
    URI service;

    private ApiDocument document;

    @BeforeEach
    void read() {
        document = ApiDocument.of(service.getScheme() + "://" + service.getAuthority());
    }

    @Test
    void isServedWithoutATokenAsYamlAndJson() {
        String yaml = given().get("/q/openapi").then().statusCode(200).extract().asString();
        assertThat(yaml).startsWith("---\nopenapi: 3.1").contains("/v1/select_destinations");
        assertThat(document.root().at("/openapi").textValue()).startsWith("3.1");
        assertThat(document.root().at("/info/title").textValue()).isEqualTo("Berth scheduler");
        assertThat(given().get("/q/api").then().statusCode(200).extract().asString()).contains("/q/api/start");
    }

    @Test
    void hasEveryRouteOfTheServiceAndNoOther() throws Exception {
        assertThat(document.routes()).isEqualTo(routes());
    }

    @Test
    void everyOperationHasASummaryAnIdAndItsErrors() {
        Set<String> ids = new TreeSet<>();
        for (String route : document.routes()) {
            JsonNode operation = document.operation(route);
            assertThat(operation.path("summary").asText()).as(route).isNotBlank();
            assertThat(ids.add(operation.path("operationId").asText(""))).as("operationId of " + route).isTrue();
            JsonNode responses = operation.path("responses");
            assertThat(responses.fieldNames()).toIterable().as(route).contains("401", "403", "406", "500", "503");
            assertThat(responses.fieldNames()).toIterable().as(route).anyMatch(status -> status.startsWith("2"));
            boolean named = route.contains("{") || NAME_RECORDS_OUTSIDE_THE_PATH.contains(route);
            assertThat(responses.has("404") || named && route.startsWith("PUT")).as("404 of " + route).isEqualTo(named);
            boolean read = operation.has("requestBody");
            assertThat(responses.has("415")).as("415 of " + route).isEqualTo(read);
            assertThat(responses.has("413")).as("413 of " + route).isEqualTo(read);
        }
    }

    @Test
    void definesExactlyTheSecuritySchemesThatItUses() {
        Set<String> used = new TreeSet<>();
        document.root().get("security").forEach(one -> one.fieldNames().forEachRemaining(used::add));
        assertThat(document.root().at("/components/securitySchemes").fieldNames()).toIterable()
                .containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void comparesTheResponsesOfAllTestsWithTheDocument() {
        assertThat(RestAssured.filters()).hasAtLeastOneElementOfType(DocumentedResponses.class);
        JsonNode error = document.root().at("/components/responses/NotFound/content/application~1json");
        JsonNode fault = error.path("example").deepCopy();
        ((ObjectNode) fault.at("/errors/0")).put("status", "404").remove("code");
        assertThat(document.differences(error.get("schema"), fault)).hasSize(2);
    }

    @Test
    void everyReferenceHasATarget() {
        assertThat(document.root().findValues("$ref")).hasSizeGreaterThan(100);
        assertThat(document.dangling()).isEmpty();
    }

    @Test
    void describesTheMembersOfEveryObject() {
        assertThat(document.bareObjects()).isEmpty();
    }

    /** Typed languages have no type for both. */
    @Test
    void noValueMayBeANumberOrAString() {
        assertThat(document.root().findValues("type"))
                .filteredOn(JsonNode::isArray)
                .isNotEmpty()
                .noneMatch(types -> types.valueStream().anyMatch(type -> type.asText().equals("string"))
                        && types.valueStream().anyMatch(type -> Set.of("integer", "number").contains(type.asText())));
    }

    @Test
    void examplesMatchTheirSchemas() {
        for (String route : document.routes()) {
            JsonNode operation = document.operation(route);
            if (operation.has("requestBody")) {
                JsonNode body = document.json(operation.get("requestBody"));
                assertThat(body.has("example")).as("example of " + route).isTrue();
                assertThat(document.differences(body.get("schema"), body.get("example"))).as(route).isEmpty();
            }
        }
        document.root().at("/components/responses").properties().forEach(response -> {
            JsonNode body = document.json(response.getValue());
            assertThat(document.differences(body.get("schema"), body.get("example"))).as(response.getKey()).isEmpty();
        });
    }

    @Test
    void theExampleOfASimulationIsAccepted() {
        JsonNode example = document.json(document.operation("POST /v1/simulations").get("requestBody")).get("example");
        given().header("x-auth-token", "admin")
                .contentType("application/json")
                .body(example.toString())
                .post("/v1/simulations")
                .then()
                .statusCode(200);
        given().header("x-auth-token", "admin").get("/v1/options").then().statusCode(200);
    }

    /** Returns the routes in the annotations of all compiled classes; a path with choices is one route per choice. */
    private static Set<String> routes() throws Exception {
        Set<String> routes = new TreeSet<>();
        for (Class<?> type : NonGetRoutes.endpointClasses()) {
            Path path = type.getAnnotation(Path.class);
            for (Method method : path == null ? new Method[0] : type.getDeclaredMethods()) {
                for (Annotation each : method.getAnnotations()) {
                    HttpMethod verb = each.annotationType().getAnnotation(HttpMethod.class);
                    if (verb != null) {
                        Path more = method.getAnnotation(Path.class);
                        expand(path.value() + (more == null ? "" : more.value()))
                                .forEach(route -> routes.add(verb.value() + " " + route));
                    }
                }
            }
        }
        return routes;
    }

    private static Stream<String> expand(String path) {
        Matcher choice = CHOICE.matcher(path);
        return choice.find()
                ? Stream.of(choice.group(1).split("\\|")).map(each -> choice.replaceFirst(each))
                : Stream.of(path);
    }
}
