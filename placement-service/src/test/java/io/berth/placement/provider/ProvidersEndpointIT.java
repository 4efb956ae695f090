package io.berth.placement.provider;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.CatalogueApi.create;
import static io.berth.placement.CatalogueApi.generation;
import static io.berth.placement.CatalogueApi.move;
import static io.berth.placement.CatalogueApi.newProvider;
import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.model.DatabaseUrl;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code /resource_providers} over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ProvidersEndpointIT {
    @Inject
    Pool pool;

    private final UUID uuid = UUID.randomUUID();
    private final String name = "host-" + uuid;

    @Test
    void returnsTheCreatedProviderFrom1Dot20() {
        at("1.19", body(name, uuid)).post("/resource_providers").then()
                .statusCode(201)
                .header("location", matchesPattern("http://[^/]+/resource_providers/" + uuid))
                .header("last-modified", nullValue())
                .body(equalTo(""));
        at("1.20", body(name + "-2", UUID.randomUUID())).post("/resource_providers").then()
                .statusCode(200)
                .header("location", notNullValue())
                .header("last-modified", notNullValue())
                .header("cache-control", "no-cache")
                .body("name", equalTo(name + "-2"))
                .body("generation", equalTo(0));
    }

    /** Writers of one locked host may occupy all connections of the catalog, but not without a limit. */
    @Test
    void createsProvidersWhileAnotherIsLocked() throws Exception {
        UUID locked = newProvider();
        List<CompletableFuture<Integer>> writers;
        String jdbc = DatabaseUrl.parse(PostgresForTests.url()).jdbcUrl("placement");
        try (Connection other = DriverManager.getConnection(jdbc, "postgres", "postgres")) {
            other.setAutoCommit(false);
            other.createStatement().execute("SELECT FROM resource_providers WHERE uuid = '" + locked + "' FOR UPDATE");
            writers = Stream.generate(() -> CompletableFuture.supplyAsync(
                    () -> at("1.39", "{\"traits\": [\"HW_CPU_X86_AVX\"], \"resource_provider_generation\": 0}")
                            .put("/resource_providers/" + locked + "/traits").statusCode(),
                    Thread::startVirtualThread)).limit(12).toList();
            eventually(() -> assertThat(PostgresForTests.countWaitingForLock("resource_providers"))
                    .isGreaterThanOrEqualTo(8));
            at("1.39", body(name, uuid)).post("/resource_providers").then().statusCode(200);
        }
        assertThat(writers).allSatisfy(writer -> assertThat(writer.join()).isIn(200, 409, 503));
    }

    @Test
    void acceptsUuidsInAnyFormAndReturnsTheCanonicalOne() {
        at("1.39", """
                {"name": "%s", "uuid": "%s"}""".formatted(name, uuid.toString().replace("-", "").toUpperCase(Locale.ROOT)))
                .post("/resource_providers").then().statusCode(200).body("uuid", equalTo(uuid.toString()));
    }

    @Test
    void reportsWhetherNameOrUuidIsTaken() {
        at("1.39", body(name, uuid)).post("/resource_providers").then().statusCode(200);
        at("1.39", body(name, uuid)).post("/resource_providers").then().statusCode(409)
                .body("errors[0].code", equalTo("placement.duplicate_name"))
                .body(
                        "errors[0].detail",
                        containsString("Conflicting resource provider name: " + name + " already exists."));
        at("1.39", body("other-" + name, uuid)).post("/resource_providers").then().statusCode(409)
                .body(
                        "errors[0].detail",
                        containsString("Conflicting resource provider uuid: " + uuid + " already exists."));
        UUID second = newProvider();
        at("1.39", "{\"name\": \"" + name + "\"}").put("/resource_providers/" + second).then().statusCode(409)
                .body("errors[0].code", equalTo("placement.duplicate_name"))
                .body("errors[0].detail", containsString("Conflicting resource provider " + name + " already exists."));
    }

    @ParameterizedTest(name = "at {0}: {1} links, parent and root shown: {2}")
    @CsvSource({"1.0, 3, false", "1.1, 4, false", "1.6, 5, false", "1.11, 6, false",
        "1.13, 6, false", "1.14, 6, true", "1.39, 6, true"})
    void returnsTheLinksOfTheMicroversion(String version, int links, boolean showsTree) {
        UUID provider = newProvider();
        var shown = at(version).get("/resource_providers/" + provider).then().statusCode(200)
                .body("links.size()", equalTo(links))
                .body("links[0].href", equalTo("/resource_providers/" + provider));
        if (showsTree) {
            shown.body("parent_provider_uuid", nullValue()).body("root_provider_uuid", equalTo(provider.toString()));
        } else {
            shown.body("$", not(hasKey("root_provider_uuid")));
        }
    }

    @Test
    void sendsCacheHeadersFrom1Dot15() {
        UUID provider = newProvider();
        for (String path : new String[] {"/resource_providers/" + provider, "/resource_providers?uuid=" + provider}) {
            at("1.14").get(path).then().header("last-modified", nullValue()).header("cache-control", nullValue());
            at("1.15").get(path).then().header("last-modified", endsWith(" GMT")).header("cache-control", "no-cache");
        }
    }

    @ParameterizedTest(name = "{0} at {1}: {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{\"nam\": \"x\"} | 1.0 | 'name' is a required property",
        "{\"name\": 7} | 1.0 | 7 is not of type 'string'",
        "{\"name\": \"x\", \"uuid\": \"y\"} | 1.0 | 'y' is not a 'uuid'",
        "{\"name\": \"x\", \"parent_provider_uuid\": null} | 1.13 | Additional properties are not allowed"
                + " ('parent_provider_uuid'",
        "{\"name\": \"x\", \"generation\": 1} | 1.39 | Additional properties are not allowed ('generation'",
        "{\"name\": \"x\\u0000\"} | 1.39 | NUL",
        "{\"name\": | 1.39 | Malformed JSON",
        "{\"name\": \"h\"} 1 | 1.39 | Malformed JSON: there is text after the value",
        "{\"name\": \"\"} | 1.39 | name is required"})
    void refusesInvalidBodies(String body, String version, String why) {
        at(version, body).post("/resource_providers").then().statusCode(400)
                .body("errors[0].detail", containsString(why));
    }

    @Test
    void refusesOtherMediaTypesAndUsersWithoutPermission() {
        at("1.39").contentType("text/plain").body("x").post("/resource_providers").then().statusCode(415);
        at("1.39").header("accept", "text/plain").get("/resource_providers").then().statusCode(406);
        given().header("x-auth-token", "somebody").get("/resource_providers").then().statusCode(403);
    }

    @Test
    void returns404ForOtherFormsOfAUuidInThePath() {
        UUID provider = newProvider();
        for (String other : new String[] {provider.toString().toUpperCase(Locale.ROOT),
            provider.toString().replace("-", ""), "x",
            "%00"}) {
            at("1.39").get("/resource_providers/" + other).then().statusCode(404);
        }
        at("1.39").get("/resource_providers/" + uuid).then().statusCode(404)
                .body("errors[0].detail", containsString("No resource provider with uuid " + uuid + " found"));
    }

    @Test
    void keepsItsGenerationWhenRenamedOrMoved() {
        UUID provider = newProvider();
        UUID parent = newProvider();
        at("1.0", "{\"name\": \"renamed-" + provider + "\"}").put("/resource_providers/" + provider).then()
                .statusCode(200).body("name", equalTo("renamed-" + provider)).body("generation", equalTo(0));
        move(provider, parent).then().statusCode(200)
                .body("parent_provider_uuid", equalTo(parent.toString()))
                .body("root_provider_uuid", equalTo(parent.toString()));
        assertThat(generation(provider)).isZero();
        at("1.0", "{\"name\": \"renamed-" + provider + "\"}").put("/resource_providers/" + provider).then()
                .statusCode(200);
        at("1.39").get("/resource_providers/" + provider).then()
                .body("parent_provider_uuid", equalTo(parent.toString()));
    }

    @Test
    void keepsLastModifiedIfAPutChangesNothing() {
        UUID parent = newProvider();
        UUID provider = newProvider(parent);
        String path = "/resource_providers/" + provider;
        String before = "Wed, 01 Jan 2020 00:00:00 GMT";
        PostgresForTests.run(PostgresForTests.url(), """
                UPDATE placement.resource_providers SET updated_at = '2020-01-01T00:00:00Z' WHERE uuid = '%s'"""
                .formatted(provider));
        at("1.39", "{\"name\": \"host-" + provider + "\"}").put(path).then()
                .statusCode(200).header("last-modified", equalTo(before));
        move(provider, parent).then().statusCode(200).header("last-modified", equalTo(before));
        at("1.39").get(path).then().header("last-modified", equalTo(before));
        at("1.39", "{\"name\": \"renamed-" + provider + "\"}").put(path).then()
                .statusCode(200).header("last-modified", not(equalTo(before)));
    }

    @Test
    void keepsLastModifiedOfDescendantsIfTheRootIsTheSame() {
        UUID root = newProvider();
        UUID first = newProvider(root);
        UUID second = newProvider(root);
        UUID below = newProvider(first);
        String before = "Wed, 01 Jan 2020 00:00:00 GMT";
        PostgresForTests.run(PostgresForTests.url(), """
                UPDATE placement.resource_providers SET updated_at = '2020-01-01T00:00:00Z' WHERE uuid IN ('%s', '%s')"""
                .formatted(first, below));
        move(first, second).then().statusCode(200).header("last-modified", not(equalTo(before)));
        at("1.39").get("/resource_providers/" + below).then().header("last-modified", equalTo(before));
        move(first, null).then().statusCode(200);
        at("1.39").get("/resource_providers/" + below).then()
                .header("last-modified", not(equalTo(before)))
                .body("root_provider_uuid", equalTo(first.toString()));
    }

    @Test
    void setsAFirstParentFrom1Dot14AndChangesItFrom1Dot37() {
        UUID provider = newProvider();
        UUID first = newProvider();
        UUID second = newProvider();
        String path = "/resource_providers/" + provider;
        at("1.14", parented(provider, first)).put(path).then().statusCode(200);
        at("1.36", parented(provider, first)).put(path).then().statusCode(200);
        at("1.36", parented(provider, second)).put(path).then().statusCode(400)
                .body("errors[0].detail", containsString("re-parenting a provider is not currently allowed."));
        at("1.36", parented(provider, null)).put(path).then().statusCode(400)
                .body("errors[0].detail", containsString("un-parenting a provider is not currently allowed."));
        at("1.37", parented(provider, second)).put(path).then().statusCode(200)
                .body("root_provider_uuid", equalTo(second.toString()));
        at("1.37", parented(provider, null)).put(path).then().statusCode(200)
                .body("parent_provider_uuid", nullValue())
                .body("root_provider_uuid", equalTo(provider.toString()));
    }

    @Test
    void movesAWholeSubtree() {
        UUID root = newProvider();
        UUID child = newProvider(root);
        UUID grandchild = newProvider(child);
        UUID other = newProvider();
        move(child, other).then().statusCode(200);
        at("1.39").get("/resource_providers?in_tree=" + grandchild).then()
                .body("resource_providers.uuid", contains(child.toString(), grandchild.toString(), other.toString()))
                .body(
                        "resource_providers.root_provider_uuid",
                        contains(other.toString(), other.toString(), other.toString()));
        at("1.39").get("/resource_providers?in_tree=" + root).then()
                .body("resource_providers.uuid", contains(root.toString()));
    }

    @Test
    void refusesLoopsAndUnknownParents() {
        UUID root = newProvider();
        UUID grandchild = newProvider(newProvider(root));
        for (UUID below : new UUID[] {root, grandchild}) {
            move(root, below).then().statusCode(400)
                    .body("errors[0].detail", containsString("creating loop in the provider tree is not allowed."));
        }
        move(root, UUID.randomUUID()).then().statusCode(400)
                .body("errors[0].detail", containsString("parent provider UUID does not exist."));
        create(uuid, name, uuid).then().statusCode(400)
                .body("errors[0].detail", containsString("parent provider UUID cannot be same as UUID."));
        create(uuid, name, UUID.randomUUID()).then().statusCode(400)
                .body("errors[0].detail", containsString("parent provider UUID does not exist."));
    }

    @Test
    void deletesOnlyWithoutChildrenAndAllocations() {
        UUID root = newProvider();
        UUID child = newProvider(root);
        at("1.39").delete("/resource_providers/" + root).then().statusCode(409)
                .body("errors[0].code", equalTo("placement.resource_provider.cannot_delete_parent"));
        at("1.39").delete("/resource_providers/" + child).then().statusCode(204);
        at("1.39").delete("/resource_providers/" + root).then().statusCode(204);
        at("1.39").delete("/resource_providers/" + root).then().statusCode(404)
                .body(
                        "errors[0].detail",
                        containsString("No resource provider with uuid " + root + " found for delete"));

        UUID used = aProvider().with("VCPU", 4).insert(pool);
        claim(used, 1);
        at("1.39").delete("/resource_providers/" + used).then().statusCode(409)
                .body("errors[0].code", equalTo("placement.resource_provider.inuse"));
    }

    @Test
    void listsByNameUuidAndTree() {
        UUID root = newProvider();
        UUID child = newProvider(root);
        at("1.0").get("/resource_providers?name=host-" + child).then()
                .body("resource_providers.uuid", contains(child.toString()));
        at("1.0").get("/resource_providers?uuid=" + child).then()
                .body("resource_providers.name", contains("host-" + child));
        at("1.0").get("/resource_providers?uuid=" + child + "&name=x").then().body("resource_providers", empty());
        at("1.14").get("/resource_providers?in_tree=" + child).then()
                .body("resource_providers.uuid", contains(root.toString(), child.toString()));
        at("1.14").get("/resource_providers?in_tree=" + uuid).then().statusCode(200)
                .body("resource_providers", empty());
    }

    @ParameterizedTest(name = "{1} before {0}")
    @CsvSource({"1.2, member_of", "1.3, resources", "1.13, in_tree", "1.17, required", "1.39, limit"})
    void refusesFiltersThatTheMicroversionLacks(String version, String parameter) {
        at(version).get("/resource_providers?" + parameter + "=x").then().statusCode(400)
                .body("errors[0].detail", containsString("Additional properties are not allowed ('" + parameter + "'"));
    }

    @Test
    void listsByAggregatesTraitsAndResources() {
        UUID a = aProvider().with("VCPU", 8).insert(pool);
        UUID b = aProvider().with("VCPU", 2).insert(pool);
        UUID one = UUID.randomUUID();
        UUID two = UUID.randomUUID();
        join(a, one);
        join(b, one, two);
        String trait = "CUSTOM_" + uuid.toString().replace("-", "").toUpperCase(Locale.ROOT);
        at("1.39").put("/traits/" + trait).then().statusCode(201);
        at("1.39", """
                {"traits": ["%s"], "resource_provider_generation": 0}""".formatted(trait))
                .put("/resource_providers/" + a + "/traits").then().statusCode(200);

        listed("1.3", "member_of=" + one, a, b);
        listed("1.3", "member_of=in:" + two + "," + uuid, b);
        listed("1.24", "member_of=" + one + "&member_of=" + two, b);
        listed("1.32", "member_of=" + one + "&member_of=!" + two, a);
        listed("1.4", "member_of=" + one + "&resources=VCPU:3", a);
        listed("1.4", "member_of=" + one + "&resources=VCPU:2", a, b);
        listed("1.18", "member_of=" + one + "&required=" + trait, a);
        listed("1.22", "member_of=" + one + "&required=!" + trait, b);
        listed("1.39", "member_of=" + one + "&required=in:" + trait + ",HW_CPU_X86_VMX", a);
        claim(a, 6);
        listed("1.4", "member_of=" + one + "&resources=VCPU:3");

        refused("1.23", "member_of=" + one + "&member_of=" + two, "Multiple member_of parameters are not supported");
        refused(
                "1.31", "member_of=!" + one,
                "Forbidden member_of parameters are not supported in the specified microversion");
        refused(
                "1.21", "required=!" + trait,
                "Expected 'required' parameter value of the form: HW_CPU_X86_VMX,CUSTOM_MAGIC.");
        refused("1.38", "required=in:" + trait, "only supported since microversion 1.39");
        refused(
                "1.39", "required=CUSTOM_NOBODY",
                "Invalid trait(s) in \"required\" parameter: No such trait(s): CUSTOM_NOBODY.");
        refused("1.39", "resources=CUSTOM_NOTHING:1",
                "Invalid resource class in resources parameter: No such resource class CUSTOM_NOTHING.");
        refused("1.39", "resources=VCPU:0", "requires amount >= 1");
    }

    @Test
    void listsByAThousandAggregates() {
        UUID provider = newProvider();
        join(provider, uuid);
        var many = new StringBuilder("in:" + uuid);
        for (int i = 0; i < 1_000; i++) {
            many.append(',').append(UUID.randomUUID());
        }
        listed("1.39", "member_of=" + many, provider);
    }

    private static void join(UUID provider, UUID... aggregates) {
        at(
                "1.18",
                "[\"" + String.join("\",\"", java.util.Arrays.stream(aggregates).map(UUID::toString).toList()) + "\"]")
                .put("/resource_providers/" + provider + "/aggregates").then().statusCode(200);
    }

    private static void claim(UUID provider, int vcpus) {
        at("1.12", """
                {"allocations": {"%s": {"resources": {"VCPU": %d}}}, "project_id": "p", "user_id": "u"}"""
                .formatted(provider, vcpus))
                .put("/allocations/" + UUID.randomUUID()).then().statusCode(204);
    }

    private static void listed(String version, String query, UUID... providers) {
        at(version).urlEncodingEnabled(false).get("/resource_providers?" + query).then().statusCode(200)
                .body("resource_providers.uuid",
                        containsInAnyOrder(java.util.Arrays.stream(providers).map(UUID::toString).toArray()));
    }

    private static void refused(String version, String query, String why) {
        at(version).urlEncodingEnabled(false).get("/resource_providers?" + query).then().statusCode(400)
                .body("errors[0].detail", containsString(why));
    }

    private static String body(String name, UUID uuid) {
        return "{\"name\": \"" + name + "\", \"uuid\": \"" + uuid + "\"}";
    }

    private static String parented(UUID provider, UUID parent) {
        return "{\"name\": \"host-" + provider + "\", \"parent_provider_uuid\": "
                + (parent == null ? "null" : "\"" + parent + "\"") + "}";
    }
}
