package io.berth.placement.http;

import static io.berth.placement.CatalogueApi.at;
import static io.restassured.RestAssured.config;
import static io.restassured.RestAssured.given;
import static io.restassured.config.DecoderConfig.decoderConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.CatalogueApi;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that the served specification describes every route of Berth's own, and its responses. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class OpenApiIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OWN = "/berth/v1/";

    private JsonNode document;

    @BeforeEach
    void read() throws IOException {
        document = JSON.readTree(given().get("/q/openapi?format=json").then().statusCode(200).extract().asByteArray());
    }

    @Test
    void documentsExactlyBerthsOwnRoutes() {
        Set<String> documented = new TreeSet<>();
        document.get("paths").properties().forEach(path -> path.getValue().fieldNames().forEachRemaining(
                method -> documented.add(
                        method.toUpperCase(Locale.ROOT) + " " + path.getKey().replaceAll("\\{\\w+}", "{}"))));
        Set<String> there = Set.of("GET", "POST", "PUT", "DELETE").stream()
                .flatMap(method -> Routes.withMethod(method).filter(path -> path.startsWith(OWN))
                        .map(path -> method + " " + path))
                .collect(Collectors.toSet());
        assertThat(documented).hasSizeGreaterThan(8).isEqualTo(there);
    }

    @Test
    void servesAPageForTheSpecificationWithAllItsFiles() {
        String page = given().get("/q/api").then().statusCode(200).contentType("text/html").extract().asString();
        List<String> files = Pattern.compile("(?:src|href)=\"([^\"]+)\"").matcher(page).results()
                .map(link -> link.group(1)).toList();
        assertThat(files).hasSize(3).allSatisfy(file -> {
            assertThat(given().get(file).then().statusCode(200).extract().asString()).as(file).isNotBlank();
            given().config(config().decoderConfig(decoderConfig().noContentDecoders())).get(file).then().statusCode(200)
                    .header("content-encoding", nullValue())
                    .header("content-security-policy", startsWith("default-src 'none'"));
        });
        assertThat(given().get("/q/api/start").asString()).contains("/q/openapi");
    }

    @Test
    void everyReferenceResolves() {
        assertThat(document.findValues("$ref")).hasSizeGreaterThan(50).allSatisfy(
                reference -> assertThat(document.at(reference.textValue().substring(1)).isMissingNode())
                        .as(reference.asText()).isFalse());
    }

    @Test
    void describesTheMembersOfEveryObject() {
        assertThat(document.findParents("type"))
                .filteredOn(schema -> schema.get("type").asText().equals("object")
                        || schema.get("type").valueStream().anyMatch(type -> type.asText().equals("object")))
                .filteredOn(schema -> !schema.has("properties") && !schema.has("additionalProperties")
                        && !schema.has("allOf"))
                .isEmpty();
    }

    @Test
    void responsesMatchTheSpecification() throws IOException {
        UUID host = CatalogueApi.newProvider(CatalogueApi.newProvider());
        at("1.39", """
                {"resource_provider_generation": 0,
                 "inventories": {"VCPU": {"total": 8, "reserved": 1}, "MEMORY_MB": {"total": 4096}}}""")
                .put("/resource_providers/" + host + "/inventories").then().statusCode(200);
        String query = "resources=VCPU:2,MEMORY_MB:512&in_tree=" + host;
        check("GET", "candidates", at("1.39").get(OWN + "candidates?" + query), 200);
        check("GET", "allocation_candidates/explanation",
                at("1.39").get(OWN + "allocation_candidates/explanation?" + query.replace(":2", ":9")
                        + "&providers_limit=3"),
                200);
        check("GET", "released_consumers", at("1.39").get(OWN + "released_consumers"), 200);
        check("POST", "holding_consumers",
                at("1.39", "{\"consumers\": [\"%s\"]}".formatted(UUID.randomUUID())).post(OWN + "holding_consumers"),
                200);
        check("POST", "holding_consumers", at("1.39", "{\"consumers\": [1]}").post(OWN + "holding_consumers"), 400);
        checkSettlementResponses(host);
        check("GET", "fleet", at("1.39").get(OWN + "fleet"), 200);
        check("GET", "replica", at("1.39").get(OWN + "replica"), 200);
        check("GET", "fleet/{uuid}", at("1.39").get(OWN + "fleet/" + host), 200);
        check("GET", "fleet/{uuid}", at("1.39").get(OWN + "fleet/" + UUID.randomUUID()), 404);
        check("GET", "fleet", given().get(OWN + "fleet"), 401);
        check("GET", "audit", at("1.39").get(OWN + "audit"), 200);
        check("POST", "audit", at("1.39", "{\"kinds\": [\"used_differs\"], \"limit\": 1}").post(OWN + "audit"), 200);
        check("POST", "audit", at("1.39", "{\"kinds\": []}").post(OWN + "audit"), 400);
        check("POST", "audit/{id}/undo", at("1.39").post(OWN + "audit/" + UUID.randomUUID() + "/undo"), 404);
        check("POST", "provider_trees", at("1.39", "{\"ids\": [1, 2, 3]}").post(OWN + "provider_trees"), 200);
        checkWhatIfResponses(host);
    }

    private void checkWhatIfResponses(UUID host) throws IOException {
        String body = """
                {"keep_s": 5, "after": ["a.1"], "before": true,
                 "changes": [
                   {"inventory": {"provider": "<H>", "resource_class": "VCPU", "allocation_ratio": 4.0, "reserved": 0}},
                   {"remove_inventory": {"provider": "<H>", "resource_class": "MEMORY_MB"}},
                   {"traits": {"trees": ["<R>"], "add": ["HW_CPU_X86_AVX"], "remove": []}},
                   {"aggregates": {"provider": "<H>", "add": ["<A>"]}},
                   {"use": {"provider": "<H>", "resources": {"VCPU": 2}, "if_there": true}},
                   {"add": {"like": "<R>", "root": "<A>", "name": "<A>"}},
                   {"remove": {"root": "<A>"}}],
                 "asks": [
                   {"fill": {"query": "resources=VCPU:1", "max": 5, "roots": ["<R>"], "allocations": true}},
                   {"candidates": {"query": "resources=VCPU:1&in_tree=<H>"}},
                   {"candidates": {"query": "resources=VCPU:1&in_tree=<H>", "references": true}},
                   {"explanation": {"query": "resources=VCPU:99", "providers": ["<H>"]}},
                   {"explanation": {"query": "resources=VCPU:99", "counts": "nothing", "providers": ["<H>"]}},
                   {"trees": {"roots": ["<H>"]}},
                   {"roots": {"names": ["none"]}}]}""".replace("<H>", host.toString())
                .replace("<R>", CatalogueApi.newProvider().toString()).replace("<A>", UUID.randomUUID().toString());
        Response answer = at("1.39", body).post(OWN + "what_if");
        check("POST", "what_if", answer, 200);
        assertThat(differences(
                document.get("paths").path(OWN + "what_if").at("/post/requestBody/content/application~1json/schema"),
                JSON.readTree(body))).isEqualTo("[]");
        for (JsonNode each : JSON.readTree(answer.asByteArray()).path("answers")) {
            assertThat(document.at("/components/schemas/SupposedAnswers/items/anyOf").valueStream()
                    .filter(schema -> differences(schema, each).equals("[]"))).as(each.toString()).hasSize(1);
        }
        check("POST", "what_if", at("1.39", "{\"view\": \"a.1\", \"asks\": [{\"roots\": {}}]}").post(OWN + "what_if"),
                409);
    }

    private void checkSettlementResponses(UUID host) throws IOException {
        UUID consumer = UUID.randomUUID();
        String claim = """
                "allocations": {"%s": {"resources": {"VCPU": 1}}}, "project_id": "p", "user_id": "u\"""".formatted(host);
        at("1.39", "{%s, \"consumer_generation\": null, \"consumer_type\": \"INSTANCE\"}".formatted(claim))
                .header("Berth-Fence", 4).put("/allocations/" + consumer).then().statusCode(204);
        String settle =
                "{\"fence\": %d, \"consumers\": [{\"uuid\": \"%s\", \"undo\": 4, \"restore\": {%s}}, {\"uuid\":"
                        + " \"%s\"}]}";
        String tooMuch = claim.replace(": 1}", ": 9}");
        check("POST", "settlements",
                at("1.39", settle.formatted(9, consumer, tooMuch, UUID.randomUUID())).post(OWN + "settlements"), 200);
        check("POST", "settlements",
                at("1.39", settle.formatted(9, consumer, claim, UUID.randomUUID())).post(OWN + "settlements"), 200);
        check("POST", "settlements",
                at("1.39", settle.formatted(8, consumer, claim, UUID.randomUUID())).post(OWN + "settlements"), 409);
        check("POST", "settlements", at("1.39", "{\"fence\": 0}").post(OWN + "settlements"), 400);
    }

    private void check(String method, String route, Response answer, int status) throws IOException {
        assertThat(answer.statusCode()).as(route + ": " + answer.asString()).isEqualTo(status);
        JsonNode node = document.get("paths").path(OWN + route).path(method.toLowerCase(Locale.ROOT)).path("responses")
                .path(String.valueOf(status));
        JsonNode response = node.has("$ref") ? document.at(node.get("$ref").textValue().substring(1)) : node;
        assertThat(differences(response.at("/content/application~1json/schema"), JSON.readTree(answer.asByteArray())))
                .as(route).isEqualTo("[]");
    }

    private String differences(JsonNode schema, JsonNode value) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", document.get("components"));
        return Arrays.toString(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(whole)
                .validate(value).toArray());
    }
}
