package io.berth.placement.candidate.scenario;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.http.Json;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code POST /berth/v1/what_if} over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class WhatIfEndpointIT {
    private static final List<String> TABLES =
            List.of("resource_providers", "inventories", "allocations", "consumers", "provider_traits",
                    "provider_aggregates");

    @Inject
    Pool pool;

    private final String resourceClass =
            "CUSTOM_" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    private final String small = UUID.randomUUID().toString();
    private final String large = UUID.randomUUID().toString();
    private final String consumer = UUID.randomUUID().toString();

    /** Creates a host with 4 units, 3 of them used, and a host with 16. */
    @BeforeEach
    void makeTwoHosts() {
        admin().put("/resource_classes/" + resourceClass).then().statusCode(201);
        host(small, 4);
        host(large, 16);
        admin()
                .body(Map.of(
                        "allocations", Map.of(small, Map.of("resources", Map.of(resourceClass, 3))), "project_id", "p",
                        "user_id", "u"))
                .put("/allocations/" + consumer).then().statusCode(204);
    }

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.12")
                .contentType("application/json").urlEncodingEnabled(false);
    }

    private static RequestSpecification newest() {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.39")
                .contentType("application/json").urlEncodingEnabled(false);
    }

    private void host(String uuid, int total) {
        newest().body(Map.of("name", uuid, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        newest()
                .body(Map.of(
                        "resource_provider_generation", 0,
                        "inventories", Map.of(resourceClass, Map.of("total", total, "max_unit", 8))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
    }

    /** Replaces apostrophes by quotes, S and L by the hosts, and C by the class. */
    private String filled(String body) {
        return body.replace('\'', '"').replace("<S>", small).replace("<L>", large).replace("<C>", resourceClass);
    }

    private ValidatableResponse ask(String body) {
        return admin().body(filled(body)).post("/berth/v1/what_if").then();
    }

    private JsonNode answer(String changes, String ask) {
        return Json.parse(ask("{'changes': [" + changes + "], 'asks': [" + ask + "]}").statusCode(200)
                .body("complete", equalTo(true)).extract().asByteArray()).path("answers").get(0);
    }

    private byte[] plain(String query) {
        return newest().get("/allocation_candidates?" + filled(query)).then().statusCode(200).extract().asByteArray();
    }

    @Test
    void returnsWhatThePlainRouteReturnsAfterTheSameChanges() {
        UUID added = UUID.randomUUID();
        UUID aggregate = UUID.randomUUID();
        String changes = filled("""
                {'inventory': {'provider': '<S>', 'resource_class': '<C>', 'allocation_ratio': 4.0, 'reserved': 1}},
                {'inventory': {'provider': '<S>', 'resource_class': 'VCPU', 'total': 8, 'step_size': 2}},
                {'traits': {'provider': '<S>', 'add': ['HW_CPU_X86_AVX', 'CUSTOM_NEVER'], 'remove': ['HW_CPU_X86_MMX']}},
                {'aggregates': {'provider': '<S>', 'add': ['%s']}},
                {'use': {'provider': '<L>', 'resources': {'<C>': 5}}},
                {'add': {'like': '<S>', 'root': '%s', 'name': 'more-%s'}}""".formatted(aggregate, added, added));
        newest().put("/traits/CUSTOM_NEVER").then();
        List<String> queries = List.of(
                "resources=<C>:2", "resources=<C>:1,VCPU:2", "resources=<C>:8",
                "resources=<C>:1&member_of=" + aggregate, "resources=<C>:1&required=CUSTOM_NEVER",
                "resources=<C>:1&required=!HW_CPU_X86_AVX&limit=1");
        List<String> asks = new ArrayList<>();
        queries.forEach(query -> asks.add("{'candidates': {'query': '" + query + "'}}"));
        Map<String, Long> tables = sizes();
        JsonNode scenario = Json.parse(ask(
                "{'changes': [" + changes + "], 'before': true, 'asks': [" + String.join(",", asks) + "]}")
                .statusCode(200)
                .body("complete", equalTo(true)).body("gaps", empty()).body("as_of.fleet_version", greaterThan(0))
                .body("as_of.registry_version", nullValue()).body("as_of.time", notNullValue())
                .extract().asByteArray());
        for (int i = 0; i < queries.size(); i++) {
            assertThat(scenario.path("before").path("answers").get(i)).as(queries.get(i))
                    .isEqualTo(Json.parse(plain(queries.get(i))));
        }
        assertThat(sizes()).isEqualTo(tables);
        makeChanges(aggregate, added);
        for (int i = 0; i < queries.size(); i++) {
            assertThat(scenario.path("answers").get(i)).as(queries.get(i)).isEqualTo(Json.parse(plain(queries.get(i))));
        }
        assertThat(scenario.path("answers").get(0).path("allocation_requests")).hasSize(3);
    }

    private JsonNode fleetOf(String more) {
        return Json.parse(
                ask("{" + more + "'asks': [{'fill': {'query': 'resources=<C>:1'}}, {'trees': {'roots': ['<S>']}}]}")
                        .statusCode(200).extract().asByteArray());
    }

    private static String view(JsonNode answer) {
        return "'view': '" + answer.at("/as_of/replica").asText() + "." + answer.at("/as_of/fleet_version").asLong()
                + "', ";
    }

    @Test
    void evaluatesTheViewOfAnEarlierResponseWhileItIsKept() {
        JsonNode first = fleetOf("'keep_s': 60, ");
        admin().delete("/allocations/" + consumer).then().statusCode(204);
        JsonNode now = fleetOf("");
        assertThat(fleetOf(view(first))).isEqualTo(first);
        assertThat(fleetOf("'keep_s': 60, " + view(first))).isEqualTo(first);
        assertThat(now.at("/answers/0/total").asInt()).isEqualTo(first.at("/answers/0/total").asInt() + 3);
        assertThat(now.at("/as_of/time").asText()).matches(".*\\.[0-9]{3}Z");
    }

    @ParameterizedTest
    @CsvSource({"38f1a4ql14zdb.1, berth.view_elsewhere", "<own>.999999999, berth.view_gone"})
    void refusesViewsThatAreNotKept(String view, String code) {
        String own = fleetOf("'keep_s': 1, ").at("/as_of/replica").asText();
        newest().body(filled("{'view': '" + view.replace("<own>", own) + "', 'asks': [{'trees': {'roots': []}}]}"))
                .post("/berth/v1/what_if").then().statusCode(409).body("errors[0].code", equalTo(code));
    }

    /** The changes of {@link #returnsWhatThePlainRouteReturnsAfterTheSameChanges}, through the API. */
    private void makeChanges(UUID aggregate, UUID added) {
        newest().body(Map.of("name", "more-" + added, "uuid", added)).post("/resource_providers").then()
                .statusCode(200);
        for (String uuid : List.of(small, added.toString())) {
            String path = "/resource_providers/" + uuid;
            newest().body(Map.of(
                    "resource_provider_generation", uuid.equals(small) ? 2 : 0, "inventories", Map.of(
                            resourceClass, Map.of("total", 4, "max_unit", 8, "allocation_ratio", 4.0, "reserved", 1),
                            "VCPU", Map.of("total", 8, "step_size", 2))))
                    .put(path + "/inventories").then().statusCode(200);
            int generation = newest().get(path + "/inventories").then().extract().path("resource_provider_generation");
            newest()
                    .body(Map.of(
                            "resource_provider_generation", generation, "traits",
                            List.of("HW_CPU_X86_AVX", "CUSTOM_NEVER")))
                    .put(path + "/traits").then().statusCode(200);
            newest().body(Map.of("resource_provider_generation", generation + 1, "aggregates", List.of(aggregate)))
                    .put(path + "/aggregates").then().statusCode(200);
        }
        admin()
                .body(Map.of(
                        "allocations", Map.of(large, Map.of("resources", Map.of(resourceClass, 5))), "project_id", "p",
                        "user_id", "u"))
                .put("/allocations/" + UUID.randomUUID()).then().statusCode(204);
    }

    private Map<String, Long> sizes() {
        Map<String, Long> sizes = new TreeMap<>();
        for (String table : TABLES) {
            sizes.put(table,
                    pool.query("SELECT sum(hashtext(t::text))::bigint + count(*) AS n FROM placement." + table + " t")
                            .execute().await().atMost(Duration.ofMinutes(1)).iterator().next().getLong("n"));
        }
        return sizes;
    }

    @Test
    void fillsTreesUntilNothingFitsAnyMore() {
        String fill = "{'fill': {'query': 'resources=<C>:2'}}";
        ask("{'asks': [" + fill + ", {'fill': {'query': 'resources=<C>:9'}}]}").statusCode(200)
                .body("roots", equalTo(List.of(small, large))).body("answers[0].counts", equalTo(List.of(0, 8)))
                .body("answers[0].stops", equalTo(List.of(0, 0))).body("answers[0].demands[0]", equalTo(resourceClass))
                .body("answers[0].binding", equalTo(Map.of(resourceClass, 2))).body("answers[0].total", equalTo(8))
                .body("answers[0].single", equalTo(true)).body("answers[0].nested", empty())
                .body("answers[0].shared", empty()).body("answers[1].counts", equalTo(List.of(0, 0)));
        assertThat(answer("{'inventory': {'provider': '<S>', 'resource_class': '<C>', 'allocation_ratio': 2.0}}", fill)
                .path("counts").toString()).isEqualTo("[2,8]");
        ask("{'asks': [{'fill': {'query': 'resources=<C>:2&limit=1', 'max': 3, 'roots': ['<L>']}}]}").statusCode(200)
                .body("roots", equalTo(List.of(large))).body("answers[0].counts", equalTo(List.of(3)))
                .body("answers[0].stops", equalTo(List.of(-1)));
    }

    @Test
    void returnsAllocationsPerProviderOfANestedTree() {
        String child = UUID.randomUUID().toString();
        newest().body(Map.of("name", child, "uuid", child, "parent_provider_uuid", large)).post("/resource_providers")
                .then()
                .statusCode(200);
        newest().body(
                Map.of("resource_provider_generation", 0, "inventories", Map.of(resourceClass, Map.of("total", 4))))
                .put("/resource_providers/" + child + "/inventories").then().statusCode(200);
        JsonNode fill = answer(
                "{'remove': {'root': '<S>'}}", "{'fill': {'query': 'resources=<C>:4', 'allocations': true}}");
        assertThat(fill.path("counts").toString()).isEqualTo("[5]");
        assertThat(fill.path("nested").toString()).isEqualTo("[0]");
        assertThat(fill.path("single").booleanValue()).isFalse();
        assertThat(fill.path("allocations").toString()).isEqualTo("{\"0\":[[0,4],[1,1]]}");
        JsonNode templates = fill.path("templates");
        assertThat(templates.get(0).path("allocations").path(large).path("resources").path(resourceClass).asInt())
                .isEqualTo(4);
        assertThat(templates.get(1).path("mappings").path("").get(0).asText()).isEqualTo(child);
    }

    @Test
    void explainsAndReturnsTheFleetOfTheScenario() {
        JsonNode explained = answer(
                "{'use': {'provider': '<L>', 'resources': {'<C>': 10}}}",
                "{'explanation': {'query': 'resources=<C>:8', 'providers': ['<L>']}}");
        assertThat(explained.path("candidates").asInt()).isZero();
        assertThat(explained.path("providers").get(0).path("obstacles").get(0).path("had").asInt()).isEqualTo(6);
        JsonNode provider = answer(
                "{'add': {'like': '<S>', 'root': '" + consumer + "', 'name': 'x-<S>'}}",
                "{'trees': {'roots': ['" + consumer + "', '<S>']}}").path("trees").get(0).path("providers").get(0);
        assertThat(provider.path("uuid").asText()).isEqualTo(consumer);
        assertThat(provider.path("name").asText()).isEqualTo("x-" + small);
        assertThat(provider.path("resources").path(resourceClass).toString()).isEqualTo("{\"capacity\":4,\"used\":0}");
        assertThat(provider.path("inventories").path(resourceClass).path("max_unit").asInt()).isEqualTo(8);
    }

    @Test
    void listsRootsByNameTraitAndAggregate() {
        String added = "{'add': {'like': '<S>', 'roots': ['" + consumer + "'], 'names': ['x-<S>']}},"
                + "{'traits': {'trees': ['" + consumer
                + "'], 'add': ['MISC_SHARES_VIA_AGGREGATE', 'HW_CPU_X86_AVX512VNNI']}}";
        JsonNode named = answer(added, "{'roots': {'names': ['x-<S>', 'nobody']}}");
        assertThat(named.toString()).isEqualTo(
                "{\"roots\":[\"%s\"],\"names\":[\"x-%s\"],\"sharing\":[0]}".formatted(consumer, small));
        assertThat(answer(added, "{'roots': {'trait': 'HW_CPU_X86_AVX512VNNI', 'names': ['x-<S>', '<S>']}}"))
                .isEqualTo(named);
        assertThat(answer(added, "{'roots': {'aggregate': '" + consumer + "'}}").path("roots")).isEmpty();
        assertThat(
                answer(added + ",{'aggregates': {'trees': ['<S>'], 'add': ['" + consumer + "']}}",
                        "{'roots': {'aggregate': '" + consumer + "'}}").path("roots").get(0).asText())
                .isEqualTo(answer("", "{'roots': {'names': ['" + small + "']}}").path("roots").get(0).asText());
        List<String> all = new ArrayList<>();
        answer("", "{'roots': {}}").path("names").forEach(name -> all.add(name.asText()));
        assertThat(all).contains(small).doesNotContain("x-" + small);
    }

    @Test
    void returnsTreesLikeTheProviderTreesRoute() {
        JsonNode returned = answer("", "{'trees': {'roots': ['<S>']}}").path("trees").get(0);
        byte[] plain = newest().body("{\"ids\": [" + returned.path("id") + "]}").post("/berth/v1/provider_trees").then()
                .statusCode(200).extract().asByteArray();
        JsonNode tree = Json.parse(plain).path("trees").get(0);
        assertThat(returned.path("version")).isEqualTo(tree.path("version"));
        tree.path("providers").get(0).properties().forEach(
                member -> assertThat(returned.path("providers").get(0).path(member.getKey()))
                        .isEqualTo(member.getValue()));
    }

    /** A client that releases allocations it read earlier cannot know their current state. */
    @Test
    void releasesOnlyWhatIsUsedWithIfThere() {
        String less = "{'use': {'provider': '%s', 'if_there': true, 'resources': {'%s': %d}}}";
        String all = filled("resources=<C>:4&in_tree=<S>");
        String changes =
                String.join(",", filled(less.formatted("<S>", "<C>", -4)), filled(less.formatted("<S>", "VCPU", -1)),
                        less.formatted(UUID.randomUUID(), "VCPU", -1),
                        filled("{'remove': {'root': '<L>'}}"), filled(less.formatted("<L>", "<C>", -1)));
        ask("{'changes': [" + changes + "], 'asks': [{'candidates': {'query': '" + all + "'}}]}").statusCode(200)
                .body("answers[0].allocation_requests", hasSize(1));
        ask("{'changes': [" + less.formatted(UUID.randomUUID(), "VCPU", 1) + "], 'asks': [{'trees': {'roots': []}}]}")
                .statusCode(404);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {'inventory': {'provider': '<S>', 'resource_class': '<C>', 'allocation_ratio': 0.5}} \
            | changes[0].inventory.allocation_ratio: 0.5 leaves a capacity of 2, and 3 are used
            {'inventory': {'provider': '<S>', 'resource_class': '<C>', 'total': 0}} \
            | changes[0].inventory.total: 0 is not an integer from 1 to 2147483647
            {'inventory': {'provider': '<S>', 'resource_class': '<C>', 'reserved': 5}} | changes[0].inventory.reserved: 5 reserves 5 of 4
            {'inventory': {'provider': '<S>', 'resource_class': 'VCPU', 'reserved': 1}} | changes[0].inventory.total: is missing
            {'inventory': {'provider': '<S>', 'resource_class': '<C>'}} | changes[0].inventory: must set at least one of total, reserved
            {'inventory': {'provider': '<S>', 'resource_class': 'CUSTOM_NO', 'total': 1}} \
            | changes[0].inventory.resource_class: no resource class CUSTOM_NO
            {'inventory': {'provider': '<S>', 'resource_class': '<C>', 'totl': 1}} \
            | changes[0].inventory.totl: an unknown member, did you mean total?
            {'inventory': {'provider': 'x', 'resource_class': '<C>'}} | "changes[0].inventory.provider: ""x"" is not a uuid"
            {'remove_inventory': {'provider': '<S>', 'resource_class': '<C>'}} \
            | changes[0].remove_inventory.resource_class: 3 <C> of resource provider <S> are in use
            {'remove_inventory': {'provider': '<S>', 'resource_class': 'VCPU'}} \
            | changes[0].remove_inventory.resource_class: resource provider <S> has no inventory of VCPU
            {'use': {'provider': '<S>', 'resources': {'<C>': -4}}} | changes[0].use.resources.<C>: releases 4, and only 3 are used
            {'use': {'provider': '<S>', 'resources': {'VCPU': 1}}} | changes[0].use.resources.VCPU: resource provider <S> has no
            {'traits': {'provider': '<S>', 'add': ['CUSTOM_NO']}} | changes[0].traits.add[0]: no trait CUSTOM_NO
            {'traits': {'provider': '<S>', 'add': ['HW_CPU_X86_AVX'], 'remove': ['HW_CPU_X86_AVX']}} \
            | "changes[0].traits.remove[0]: ""HW_CPU_X86_AVX"" contradicts changes[0]"
            {'inventory': {'provider': '<S>', 'resource_class': '<C>', 'total': 5}}, {'inventory': {'provider': '<S>', \
            'resource_class': '<C>', 'total': 6}} | changes[1].inventory.total: 6 contradicts changes[0]
            {'remove': {'root': '<S>'}}, {'use': {'provider': '<S>', 'resources': {}}} \
            | changes[1].use.provider: resource provider <S> is removed by changes[0]
            {'add': {'like': '<S>', 'root': '<L>', 'name': 'n'}} | changes[0].add.root: there is a resource provider <L>
            {'add': {'like': '<S>', 'root': '11111111-2222-4333-8444-555555555555', 'name': '<L>'}} \
            | changes[0].add.name: there is a resource provider with the name <L>
            {'inventory': {'trees': ['<L>', '<S>'], 'resource_class': '<C>', 'allocation_ratio': 0.5}} \
            | changes[0].inventory.allocation_ratio: 0.5 leaves a capacity of 2 of
            {'inventory': {'trees': ['<S>'], 'resource_class': 'PCPU', 'total': 5}} \
            | changes[0].inventory.resource_class: none of the providers has an inventory of PCPU
            {'inventory': {'trees': ['<S>'], 'provider': '<S>', 'resource_class': '<C>', 'total': 5}} \
            | changes[0].inventory: must have exactly one of provider, trees
            {'add': {'like': '<S>', 'roots': ['11111111-2222-4333-8444-555555555555'], 'names': []}} \
            | changes[0].add.names: 0 names for 1 roots
            {'traits': {}, 'use': {}} | changes[0]: must have exactly one of inventory
            {'drain': {}} | changes[0].drain: an unknown member
            7 | changes[0]: is not an object""")
    void refusesInvalidChanges(String changes, String detail) {
        ask("{'changes': [" + changes + "], 'asks': [{'trees': {'roots': []}}]}").statusCode(400)
                .body("errors[0].detail", containsString(filled(detail).replace("\\\"", "\"")));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            'asks': [] | 400 | asks: must contain at least one query
            'changes': [] | 400 | asks: is missing
            'asks': [{'candidates': {'query': 'resources=CUSTOM_NO:1'}}] | 400 | asks[0].candidates.query: Invalid resource class
            'asks': [{'candidates': {'query': 'bogus=1'}}] | 400 | asks[0].candidates.query: Invalid query string parameters
            'asks': [{'fill': {'query': 'resources=<C>:1', 'max': 0}}] | 400 | asks[0].fill.max: 0 is not an integer from 1 to 1000000
            'asks': [{'fill': {}}] | 400 | asks[0].fill.query: is missing
            'asks': [{'roots': {'trait': 'CUSTOM_NO'}}] | 400 | asks[0].roots.trait: no trait CUSTOM_NO
            'asks': [{'filling': {}}] | 400 | asks[0].filling: an unknown member; known are candidates
            'timeout_s': 61, 'asks': [{'trees': {'roots': []}}] | 400 | timeout_s: 61 is not an integer from 1 to 60
            'ask': [{'trees': {'roots': []}}] | 400 | ask: an unknown member, did you mean asks?
            'asks': [{'explanation': {'query': 'resources=<C>:1', 'counts': 'all'}}] | 400 | asks[0].explanation.counts: "all" is not one of demands, trees, nothing
            'after': ['x'], 'asks': [{'trees': {'roots': []}}] | 400 | after[0]: must be the replica and the position
            'before': 1, 'asks': [{'trees': {'roots': []}}] | 400 | before: 1 is not true or false
            'asks': [{'trees': {'roots': ['11111111-2222-4333-8444-555555555555']}}] | 404 \
            | asks[0].trees.roots[0]: no resource provider 11111111-2222-4333-8444-555555555555
            'asks': [{'trees': {'roots': []}}], 'changes': [{'remove': {'root': '11111111-2222-4333-8444-555555555555'}}] | 404 \
            | changes[0].remove.root: no resource provider 11111111""")
    void refusesInvalidRequests(String members, int status, String detail) {
        ask("{" + members + "}").statusCode(status).body("errors[0].detail", containsString(filled(detail)));
    }

    @Test
    void refusesTooManyChangesOrAsks() {
        ask("{'asks': [{'trees': {'roots': []}}], 'changes': [" + "1,".repeat(10_000) + "1]}").statusCode(413)
                .body("errors[0].detail", containsString("changes: has 10001 elements; at most 10000 are allowed"));
        ask("{'asks': [" + "1,".repeat(1_000) + "1]}").statusCode(413)
                .body("errors[0].detail", containsString("asks: has 1001 elements; at most 1000 are allowed"));
    }

    @Test
    void requiresPermissionToListCandidates() {
        byte[] body = "{\"asks\": [{\"trees\": {\"roots\": []}}]}".getBytes(StandardCharsets.UTF_8);
        given().header("x-auth-token", "user").contentType("application/json").body(body).post("/berth/v1/what_if")
                .then()
                .statusCode(403);
        given().contentType("application/json").body(body).post("/berth/v1/what_if").then().statusCode(401);
        given().header("x-auth-token", "admin").contentType("text/plain").body(body).post("/berth/v1/what_if").then()
                .statusCode(415);
        admin().get("/berth/v1/what_if").then().statusCode(405).header("allow", equalTo("POST"));
        admin().body(body).post("/berth/v1/what_if").then().statusCode(200).body("answers", hasSize(1));
    }
}
