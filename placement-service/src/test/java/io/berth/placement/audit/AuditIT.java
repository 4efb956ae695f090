package io.berth.placement.audit;

import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.CatalogueApi.newProvider;
import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.ProviderRows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ExtractableResponse;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the audit finds and repairs rows that SQL corrupted, and undoes the repairs. The database also has rows of
 * other tests.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class AuditIT {
    @Inject
    Pool pool;

    @AfterEach
    void removeInconsistentRows() {
        sql("DELETE FROM allocations a WHERE NOT EXISTS (SELECT FROM consumers c WHERE c.uuid = a.consumer_uuid)");
        sql("DELETE FROM consumers c WHERE NOT EXISTS (SELECT FROM allocations a WHERE a.consumer_uuid = c.uuid)");
        sql("INSERT INTO fleet_changes (kind, object_id) VALUES (9, 0)");
    }

    @Test
    void repairsAndRestoresACounterThatDiffersFromItsAllocations() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        claim(host, "VCPU", 3);
        setUsed(host, 7);
        Map<String, Object> finding = one("used_differs", "resource_provider", host);
        String name = at("1.39").get("/resource_providers/" + host).then().extract().path("name");
        assertThat(finding.get("detail")).isEqualTo(Map.of(
                "resource_provider", host.toString(), "resource_provider_name", name, "resource_class", "VCPU", "used",
                7, "allocated", 3));
        String audit = apply("used_differs", finding);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(3);
        assertThat(usageShown(host)).isEqualTo(3);
        assertThat(all("used_differs", "resource_provider", host)).isEmpty();

        undo(audit).statusCode(200).body("rows", equalTo(1));
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(7);
        assertThat(one("used_differs", "resource_provider", host).get("id")).isEqualTo(finding.get("id"));
        undo(audit).statusCode(409);
    }

    @Test
    void returnsTextIfPreferred() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        setUsed(host, 7);
        Map<String, Object> finding = one("used_differs", "resource_provider", host);
        String name = at("1.39").get("/resource_providers/" + host).then().extract().path("name");
        ExtractableResponse<?> plan = at("1.39", "{\"kinds\": [\"used_differs\"], \"limit\": 10000}")
                .accept("text/plain").post("/berth/v1/audit").then().statusCode(200).header("berth-answer", "no")
                .contentType("text/plain;charset=UTF-8").extract();
        assertThat(plan.headers().getValues("vary")).anyMatch("accept"::equalsIgnoreCase);
        assertThat(Integer.parseInt(plan.header("berth-findings"))).isPositive();
        assertThat(plan.asString()).contains("\n  " + finding.get("id") + "  ").contains(name, "VCPU: used 7")
                .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() < 100));

        ExtractableResponse<?> healed = at("1.39", body("used_differs", "\"apply\": [\"" + finding.get("id") + "\"]"))
                .accept("text/plain, application/json;q=0.5").post("/berth/v1/audit").then().statusCode(200)
                .header("berth-answer", "yes").header("berth-findings", "1").extract();
        assertThat(healed.asString()).startsWith("healed: 1 finding; skipped: 0\n");
        String audit = healed.asString().replaceFirst("(?s).*/audit/(.{36})/undo .*", "$1");
        assertThat(at("1.39").accept("text/plain").post("/berth/v1/audit/" + audit + "/undo").then().statusCode(200)
                .header("berth-answer", "yes").extract().asString()).isEqualTo("undone: 1 row\n");

        at("1.39").accept("text/plain").get("/berth/v1/audit").then().statusCode(200)
                .contentType("text/plain;charset=UTF-8");
        at("1.39").accept("text/plain, */*").get("/berth/v1/audit").then().statusCode(200)
                .body("advice", notNullValue());
        at("1.39").accept("text/html").get("/berth/v1/audit").then().statusCode(406);
        apply("used_differs", finding);
    }

    @Test
    void reportsFindingsInMetrics() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        setUsed(host, 7);
        at("1.39").get("/berth/v1/audit").then().statusCode(200);
        double before = found("used_differs");
        assertThat(before).isGreaterThan(0);
        setUsed(host, 0);
        // An audit of some kinds only does not change the metric.
        post(body("wrong_root", "\"limit\": 5"));
        assertThat(found("used_differs")).isEqualTo(before);
        at("1.39").get("/berth/v1/audit").then().statusCode(200);
        assertThat(found("used_differs")).isEqualTo(before - 1);
    }

    private static double found(String kind) {
        String line = "berth_audit_findings{kind=\"" + kind + "\"} ";
        return given().get("/q/metrics").asString().lines()
                .filter(metric -> metric.startsWith(line))
                .mapToDouble(metric -> Double.parseDouble(metric.substring(line.length())))
                .findFirst().orElseThrow();
    }

    @Test
    void refusesChoicesOnGet() {
        at("1.39").contentType("application/json").body("{\"apply\": \"all\"}").get("/berth/v1/audit")
                .then().statusCode(400).body("errors[0].detail", containsString("use POST to choose kinds and limits"));
        at("1.39").get("/berth/v1/audit").then().statusCode(200);
    }

    @Test
    void undoesNothingIfARowHasChangedSince() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        UUID other = aProvider().with("VCPU", 8).insert(pool);
        setUsed(host, 2);
        setUsed(other, 2);
        String audit = apply("used_differs",
                one("used_differs", "resource_provider", host), one("used_differs", "resource_provider", other));
        claim(host, "VCPU", 1);
        undo(audit).statusCode(409);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(1);
        assertThat(ProviderRows.used(pool, other, "VCPU")).isZero();
    }

    @Test
    void skipsFindingsThatChangedSinceThePlan() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        setUsed(host, 5);
        Map<String, Object> planned = one("used_differs", "resource_provider", host);
        setUsed(host, 6);
        post(body("used_differs", "\"apply\": [\"%s\"]".formatted(planned.get("id"))))
                .statusCode(200).body("id", equalTo(null)).body("skipped", equalTo(List.of(planned.get("id"))));
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(6);
    }

    @Test
    void releasesAndExactlyRestoresAnUnknownConsumer() {
        UUID host = aProvider().with("VCPU", 8).with("MEMORY_MB", 64).insert(pool);
        UUID known = claim(host, "VCPU", 2);
        UUID unknown = claim(host, "VCPU", 3);
        String before = rows(unknown);
        Map<String, Object> finding = unknown(host, known);
        assertThat(finding.get("detail")).extracting("consumer").isEqualTo(unknown.toString());
        String audit = applyKnown(List.of(known), finding);
        assertThat(ProviderRows.consumerExists(pool, unknown)).isFalse();
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(2);
        assertThat(ProviderRows.consumerExists(pool, known)).isTrue();
        int generation = ProviderRows.generation(pool, host);

        // Other claims come and go in between; the undo adds to their usage.
        claim(host, "VCPU", 1);
        undo(audit).statusCode(200);
        assertThat(rows(unknown)).isEqualTo(before);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(6);
        assertThat(ProviderRows.allocated(pool, host, "VCPU")).isEqualTo(6);
        assertThat(ProviderRows.generation(pool, host)).isEqualTo(generation + 2);
        assertThat(usageShown(host)).isEqualTo(6);
    }

    @Test
    void restoresNoAllocationsThatNoLongerFit() {
        UUID host = aProvider().with("VCPU", 4).insert(pool);
        UUID unknown = claim(host, "VCPU", 3);
        String audit = applyKnown(List.of(), unknown(host));
        claim(host, "VCPU", 2);
        undo(audit).statusCode(409);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(2);
        assertThat(ProviderRows.consumerExists(pool, unknown)).isFalse();
    }

    @Test
    void restoresNoConsumerThatExistsAgain() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        UUID unknown = claim(host, "VCPU", 1);
        String audit = applyKnown(List.of(), unknown(host));
        put(unknown, host, "VCPU", 2);
        undo(audit).statusCode(409);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(2);
    }

    @Test
    void listsARemovedUnknownConsumerAsReleased() {
        String start = at("1.39").get("/berth/v1/released_consumers").then().statusCode(200).extract().path("until");
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        UUID unknown = claim(host, "VCPU", 1);
        applyKnown(List.of(), unknown(host));
        at("1.39").queryParam("since", start).get("/berth/v1/released_consumers").then().statusCode(200)
                .body("consumers", hasItem(unknown.toString()));
    }

    @Test
    void acceptsAListOf150000Consumers() {
        List<UUID> known = Stream.generate(UUID::randomUUID).limit(150_000).toList();
        post(knownBody(known, ", \"known_until\": \"00000000-0000-0000-0000-000000000001\"")).statusCode(200);
    }

    @Test
    void ignoresConsumersThatMayBeNewerThanTheList() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        claim(host, "VCPU", 1);
        List<Map<String, Object>> found = post("""
                {"kinds": ["unknown_consumer"], "known_consumers": [], "limit": 10000}""")
                .statusCode(200).extract().path("findings");
        assertThat(found).noneMatch(finding -> finding.toString().contains(host.toString()));
    }

    @Test
    void applyAllDoesNotReleaseUnknownConsumers() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        UUID vm = claim(host, "VCPU", 1);
        post(knownBody(List.of(), ", \"apply\": \"all\"")).statusCode(200).body("healed", empty());
        assertThat(ProviderRows.consumerExists(pool, vm)).isTrue();
    }

    @Test
    void checksOnlyTheRangeThatTheListCovers() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        UUID low = UUID.fromString("00000000-1111-4111-8111-" + host.toString().substring(24));
        UUID high = UUID.fromString("ffffffff-1111-4111-8111-" + host.toString().substring(24));
        put(low, host, "VCPU", 1);
        put(high, host, "VCPU", 1);
        List<Map<String, Object>> found = post("""
                {"kinds": ["unknown_consumer"], "known_consumers": [], "settled_seconds": 0, "limit": 10000,
                 "known_until": "80000000-0000-0000-0000-000000000000"}""")
                .statusCode(200).extract().path("findings");
        assertThat(found.toString()).contains(low.toString()).doesNotContain(high.toString());
    }

    @Test
    void createsAMissingConsumerAndUndoesThat() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        UUID vm = claim(host, "VCPU", 2);
        sql("DELETE FROM consumers WHERE uuid = '%s'".formatted(vm));
        String audit = apply("allocation_without_consumer", one("allocation_without_consumer", "consumer", vm));
        at("1.39").get("/allocations/" + vm).then().statusCode(200)
                .body("project_id", equalTo("00000000-0000-0000-0000-000000000000"))
                .body("allocations." + host + ".resources.VCPU", equalTo(2));
        undo(audit).statusCode(200);
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
        assertThat(ProviderRows.allocated(pool, host, "VCPU")).isEqualTo(2);
    }

    @Test
    void deletesAConsumerThatHoldsNothingAndRestoresIt() {
        UUID vm = UUID.randomUUID();
        sql("INSERT INTO consumers (uuid, generation, project_id, user_id) VALUES ('%s', 4, 'p', 'u')".formatted(vm));
        String before = rows(vm);
        String audit = apply("empty_consumer", one("empty_consumer", "consumer", vm));
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
        undo(audit).statusCode(200);
        assertThat(rows(vm)).isEqualTo(before);
    }

    @Test
    void deletesOnlyAllocationsOnADeletedProvider() {
        UUID host = aProvider().with("VCPU", 8).insert(pool);
        UUID vm = claim(host, "VCPU", 2);
        sql("""
                INSERT INTO allocations (consumer_uuid, provider_id, resource_class_id, used)
                VALUES ('%s', -5, 0, 9)""".formatted(vm));
        String before = rows(vm);
        String audit = apply("allocation_without_provider", one("allocation_without_provider", "consumer", vm));
        assertThat(rows(vm)).isNotEqualTo(before);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(2);
        undo(audit).statusCode(200);
        assertThat(rows(vm)).isEqualTo(before);
        sql("DELETE FROM allocations WHERE provider_id = -5");
    }

    @Test
    void setsTheRootThatTheParentsLeadTo() {
        UUID root = newProvider();
        UUID child = newProvider(root);
        UUID grandchild = newProvider(child);
        sql("UPDATE resource_providers SET root_id = id WHERE uuid = '%s'".formatted(grandchild));
        Map<String, Object> finding = one("wrong_root", "resource_provider", grandchild);
        assertThat(finding.get("detail")).extracting("root_provider_by_parents").isEqualTo(root.toString());
        String audit = apply("wrong_root", finding);
        List<String> tree = at("1.39").get("/resource_providers?in_tree=" + grandchild)
                .then().statusCode(200).extract().path("resource_providers.uuid");
        assertThat(tree).containsExactlyInAnyOrder(root.toString(), child.toString(), grandchild.toString());
        undo(audit).statusCode(200);
        assertThat(one("wrong_root", "resource_provider", grandchild).get("id")).isEqualTo(finding.get("id"));
        apply("wrong_root", finding);
    }

    /** SQL changed a root, and recorded the change as the service would, or made all replicas read everything again. */
    @ParameterizedTest
    @ValueSource(strings = {
        "SELECT 0, id FROM resource_providers WHERE uuid = '%s'",
        "SELECT 9, 0"})
    void reportsAndRepairsAWrongRootWhileOtherTreesAreServed(String recorded) {
        UUID healthy = newProvider();
        UUID other = newProvider();
        UUID root = newProvider();
        UUID child = newProvider(root);
        UUID grandchild = newProvider(child);
        sql("UPDATE resource_providers SET root_id = (SELECT id FROM resource_providers WHERE uuid = '%s')"
                .formatted(other) + " WHERE uuid = '%s'".formatted(child));
        sql("INSERT INTO fleet_changes (kind, object_id) " + recorded.formatted(child));

        List<UUID> concerned = List.of(child, grandchild);
        List<String> listed = at("1.39").get("/resource_providers").then().statusCode(200).extract()
                .path("resource_providers.uuid");
        assertThat(listed).contains(healthy.toString(), other.toString(), root.toString())
                .doesNotContainAnyElementsOf(concerned.stream().map(UUID::toString).toList());
        concerned.forEach(uuid -> at("1.39").get("/resource_providers/" + uuid).then().statusCode(404));
        assertThat(given().get("/q/health/ready").then().statusCode(200).extract().asString())
                .contains(concerned.stream().map(UUID::toString).toList());
        assertThat(given().get("/q/metrics").asString()).contains("berth_fleet_trees_left_out 2.0");
        assertThat(at("1.39").get("/berth/v1/audit").then().statusCode(200).extract()
                .<List<String>>path("findings.kind")).contains("wrong_root").doesNotContain("memory_differs");
        assertThat(one("wrong_root", "resource_provider", child).get("detail"))
                .extracting("root_provider_by_parents").isEqualTo(root.toString());

        assertThat(post("{\"apply\": \"all\"}").statusCode(200).extract().<List<String>>path("healed.kind"))
                .contains("wrong_root");
        List<String> tree = at("1.39").get("/resource_providers?in_tree=" + grandchild)
                .then().statusCode(200).extract().path("resource_providers.uuid");
        assertThat(tree).containsExactlyInAnyOrder(root.toString(), child.toString(), grandchild.toString());
        at("1.39").get("/resource_providers/" + other).then().statusCode(200);
        assertThat(given().get("/q/health/ready").then().statusCode(200).extract().asString())
                .doesNotContain("left-out");
        assertThat(given().get("/q/metrics").asString()).contains("berth_fleet_trees_left_out 0.0");
    }

    /** The advice of the finding recommends this request. */
    @Test
    void aPutRepairsALoopOfParents() {
        UUID a = newProvider();
        UUID b = newProvider(a);
        parent(a, b);
        sql("INSERT INTO fleet_changes (kind, object_id) VALUES (9, 0)");
        at("1.39").get("/resource_providers/" + a).then().statusCode(404);
        one("parent_loop", "resource_provider", a);
        at("1.39", "{\"name\": \"%s\", \"parent_provider_uuid\": null}".formatted(a)).put("/resource_providers/" + a)
                .then().statusCode(200).body("root_provider_uuid", equalTo(a.toString()));
        at("1.39").get("/resource_providers/" + b).then().statusCode(200)
                .body("parent_provider_uuid", equalTo(a.toString())).body("root_provider_uuid", equalTo(a.toString()));
        assertThat(all("parent_loop", "resource_provider", a)).isEmpty();
    }

    @Test
    void aPutRepairsAProviderWhoseRootIsMissing() {
        UUID lost = newProvider();
        for (String parent : new String[] {"", ", \"parent_provider_uuid\": null"}) {
            sql("UPDATE resource_providers SET root_id = 999999999 WHERE uuid = '%s'".formatted(lost));
            sql("INSERT INTO fleet_changes (kind, object_id) VALUES (9, 0)");
            at("1.39").get("/resource_providers/" + lost).then().statusCode(404);
            at("1.39", "{\"name\": \"%s\"%s}".formatted(lost, parent)).put("/resource_providers/" + lost)
                    .then().statusCode(200).body("root_provider_uuid", equalTo(lost.toString()));
        }
        at("1.39").get("/resource_providers/" + lost).then().statusCode(200);
    }

    @Test
    void reportsFindingsThatItDoesNotRepair() {
        UUID full = aProvider().with("VCPU", 4).insert(pool);
        claim(full, "VCPU", 4);
        sql("UPDATE inventories SET total = 2 WHERE provider_id = (SELECT id FROM resource_providers WHERE uuid = '%s')"
                .formatted(full));
        UUID bare = aProvider().with("VCPU", 4).insert(pool);
        UUID vm = claim(bare, "VCPU", 1);
        UUID other = claim(bare, "VCPU", 1);
        sql("DELETE FROM inventories WHERE provider_id = (SELECT id FROM resource_providers WHERE uuid = '%s')"
                .formatted(bare));
        UUID a = aProvider().insert(pool);
        UUID b = aProvider().insert(pool);
        parent(a, b);
        parent(b, a);
        UUID worn = aProvider().insert(pool);
        sql("UPDATE resource_providers SET generation = 2147483600 WHERE uuid = '%s'".formatted(worn));
        // The advice of the finding recommends this request.
        at("1.39").contentType("application/json").body(Map.of(
                "allocations", Map.of(), "consumer_generation", 1, "project_id", "p", "user_id", "u",
                "consumer_type", "INSTANCE"))
                .put("/allocations/" + other).then().statusCode(204);
        Map<String, Map<String, Object>> found = Map.of(
                "over_capacity", one("over_capacity", "resource_provider", full),
                "allocation_without_inventory", one("allocation_without_inventory", "consumer", vm),
                "parent_loop", one("parent_loop", "resource_provider", a),
                "generation_out_of_range", one("generation_out_of_range", "resource_provider", worn));
        found.values().stream().map(finding -> finding.get("detail").toString())
                .forEach(detail -> assertThat(detail).contains("resource_provider_name="));
        String name = at("1.39").get("/resource_providers/" + full).then().extract().path("name");
        assertThat(found.get("over_capacity").get("detail")).isEqualTo(Map.of(
                "resource_provider", full.toString(), "resource_provider_name", name, "resource_class", "VCPU", "used",
                4, "capacity", 2));
        found.forEach((kind, finding) -> {
            assertThat(finding.get("cure")).isEqualTo("none");
            post(body(kind, "\"apply\": [\"%s\"]".formatted(finding.get("id"))))
                    .statusCode(200).body("id", equalTo(null)).body("healed", equalTo(List.of()));
        });
        assertThat(ProviderRows.used(pool, full, "VCPU")).isEqualTo(4);
        sql("UPDATE resource_providers SET parent_id = NULL WHERE uuid IN ('%s', '%s')".formatted(a, b));
        at("1.39").delete("/allocations/" + vm).then().statusCode(204);
        assertThat(all("allocation_without_inventory")).isEmpty();
    }

    @Test
    void findsRowsChangedBySqlAndMakesReplicasReadThemAgain() {
        UUID host = newProvider();
        UUID gone = newProvider();
        assertThat(drifted()).doesNotContain(host.toString());
        sql("INSERT INTO provider_traits SELECT p.id, t.id FROM resource_providers p, traits t"
                + " WHERE p.uuid = '%s' AND t.name = 'HW_CPU_X86_AVX'".formatted(host));
        sql("DELETE FROM resource_providers WHERE uuid = '%s'".formatted(gone));
        assertThat(drifted()).contains(host.toString(), gone.toString());
        Map<String, Object> finding = all("memory_differs").getFirst();
        post(body("memory_differs", "\"apply\": \"all\"")).statusCode(200).body("healed", equalTo(List.of()));
        apply("memory_differs", finding);
        at("1.39").get("/resource_providers/" + gone).then().statusCode(404);
        assertThat(at("1.39").get("/resource_providers?required=HW_CPU_X86_AVX").asString()).contains(host.toString());
        assertThat(drifted()).isEmpty();
    }

    @Test
    void permanentlyDeletesRowsThatViolateForeignKeys() {
        sql("ALTER TABLE provider_traits DISABLE TRIGGER ALL");
        sql("ALTER TABLE provider_aggregates DISABLE TRIGGER ALL");
        sql("ALTER TABLE inventories DISABLE TRIGGER ALL");
        sql("INSERT INTO provider_traits (provider_id, trait_id) SELECT -7, min(id) FROM traits");
        sql("INSERT INTO provider_aggregates VALUES (-7, 'a0a0a0a0-0000-4000-8000-000000000000')");
        sql("INSERT INTO inventories VALUES (-7, 0, 8, 0, 1, 8, 1, 1.0)");
        sql("ALTER TABLE provider_traits ENABLE TRIGGER ALL");
        sql("ALTER TABLE provider_aggregates ENABLE TRIGGER ALL");
        sql("ALTER TABLE inventories ENABLE TRIGGER ALL");
        for (String kind : List.of("trait_without_provider", "aggregate_without_provider",
                "inventory_without_provider")) {
            Map<String, Object> finding = all(kind).getFirst();
            assertThat(finding.get("cure")).isEqualTo("final");
            assertThat(finding.get("detail")).extracting("provider_id").isEqualTo(-7);
            String audit = apply(kind, finding);
            assertThat(all(kind)).isEmpty();
            undo(audit).statusCode(409);
        }
    }

    @Test
    void allowsOnlyAdminsAndRefusesInvalidRequests() {
        given().header("x-auth-token", "someone:project").get("/berth/v1/audit").then().statusCode(403);
        given().header("x-auth-token", "someone:project").contentType("application/json").body("{}")
                .post("/berth/v1/audit").then().statusCode(403);
        given().header("x-auth-token", "someone:project").post("/berth/v1/audit/" + UUID.randomUUID() + "/undo")
                .then().statusCode(403);
        given().get("/berth/v1/audit").then().statusCode(401);
        at("1.0").delete("/berth/v1/audit").then().statusCode(405).header("allow", equalTo("GET, POST"));
        at("1.0").get("/berth/v1/audit?kinds=x").then().statusCode(400);
        at("1.0").get("/berth/v1/audit").then().statusCode(200);
        undo(UUID.randomUUID().toString()).statusCode(404);
        undo("nothing").statusCode(404);
        for (String bad : List.of(
                "", "[]", "{", "{\"x\": 1}", "{\"limit\": 0}", "{\"limit\": 10001}", "{\"limit\": 1e999}",
                "{\"limit\": \"1\"}",
                "{\"limit\": 99999999999999999999}", "{\"kinds\": []}", "{\"kinds\": [\"x\"]}", "{\"kinds\": \"x\"}",
                "{\"kinds\": [\"unknown_consumer\"]}", "{\"known_consumers\": [\"x\"]}", "{\"known_consumers\": {}}",
                "{\"known_from\": \"%s\"}".formatted(UUID.randomUUID()), "{\"apply\": \"some\"}", "{\"apply\": [1]}",
                "{\"apply\": [\"\\u0000\"]}", "{} {}", "{\"limit\": 1, \"limit\": 2}", "{\"settled_seconds\": -1}",
                "{\"known_consumers\": " + "[".repeat(100) + "]".repeat(100) + "}")) {
            post(bad).statusCode(400);
        }
        post("{\"kind\": []}").statusCode(400)
                .body("errors[0].detail", containsString("an unknown member, did you mean kinds?"));
        post("{\"kinds\": ").statusCode(400)
                .body("errors[0].detail", containsString("Malformed JSON: it ends too early (line 1,"));
    }

    private ValidatableResponse post(String body) {
        return at("1.39", body).post("/berth/v1/audit").then();
    }

    private static String body(String kind, String more) {
        return "{\"kinds\": [\"%s\"], \"limit\": 10000, %s}".formatted(kind, more);
    }

    private List<Map<String, Object>> all(String kind) {
        return post("{\"kinds\": [\"%s\"], \"limit\": 10000}".formatted(kind)).statusCode(200).extract()
                .path("findings");
    }

    private List<Map<String, Object>> all(String kind, String member, UUID value) {
        return all(kind).stream()
                .filter(finding -> value.toString().equals(((Map<?, ?>) finding.get("detail")).get(member))).toList();
    }

    private Map<String, Object> one(String kind, String member, UUID value) {
        List<Map<String, Object>> found = all(kind, member, value);
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** Returns the finding about the only consumer on this host that is not among the known ones. */
    private Map<String, Object> unknown(UUID host, UUID... known) {
        List<Map<String, Object>> found = post(knownBody(List.of(known), "")).statusCode(200).extract()
                .path("findings");
        List<Map<String, Object>> here =
                found.stream().filter(finding -> finding.get("detail").toString().contains(host.toString())).toList();
        assertThat(here).hasSize(1);
        return here.getFirst();
    }

    private static String knownBody(List<UUID> known, String more) {
        String uuids = String.join(", ", known.stream().map(uuid -> "\"" + uuid + "\"").toList());
        return """
                {"kinds": ["unknown_consumer"], "known_consumers": [%s], "settled_seconds": 0, "limit": 10000 %s}"""
                .formatted(uuids, more);
    }

    private String applyKnown(List<UUID> known, Map<String, Object> finding) {
        return post(knownBody(known, ", \"apply\": [\"%s\"]".formatted(finding.get("id"))))
                .statusCode(200).body("healed.id", equalTo(List.of(finding.get("id")))).extract().path("id");
    }

    @SafeVarargs
    private String apply(String kind, Map<String, Object>... findings) {
        List<String> ids = List.of(findings).stream().map(finding -> "\"" + finding.get("id") + "\"").toList();
        return post(body(kind, "\"apply\": [" + String.join(", ", ids) + "]"))
                .statusCode(200).body("healed.size()", equalTo(findings.length)).extract().path("id");
    }

    private ValidatableResponse undo(String audit) {
        return at("1.39").post("/berth/v1/audit/" + audit + "/undo").then();
    }

    private List<String> drifted() {
        List<Map<String, Object>> found = all("memory_differs");
        return found.isEmpty() ? List.of() : List.of(found.getFirst().get("detail").toString().split("[\\[\\], ]+"));
    }

    private UUID claim(UUID host, String resourceClass, int amount) {
        UUID vm = UUID.randomUUID();
        put(vm, host, resourceClass, amount);
        return vm;
    }

    private void put(UUID vm, UUID host, String resourceClass, int amount) {
        at("1.39", """
                {"allocations": {"%s": {"resources": {"%s": %d}}}, "project_id": "p", "user_id": "u",
                 "consumer_generation": null, "consumer_type": "INSTANCE"}""".formatted(host, resourceClass, amount))
                .put("/allocations/" + vm).then().statusCode(204);
    }

    private int usageShown(UUID host) {
        return at("1.39").get("/resource_providers/" + host + "/usages").then().statusCode(200).extract()
                .path("usages.VCPU");
    }

    private void setUsed(UUID host, int used) {
        sql("UPDATE inventories SET used = %d WHERE provider_id = (SELECT id FROM resource_providers WHERE uuid = '%s')"
                .formatted(used, host));
    }

    private void parent(UUID child, UUID parent) {
        sql("""
                UPDATE resource_providers SET parent_id = (SELECT id FROM resource_providers WHERE uuid = '%s')
                 WHERE uuid = '%s'""".formatted(parent, child));
    }

    /** Returns all columns of the consumer's row and of its allocations. */
    private String rows(UUID consumer) {
        return pool.preparedQuery("""
                SELECT (SELECT to_jsonb(c) FROM consumers c WHERE c.uuid = $1)::text || (SELECT jsonb_agg(to_jsonb(a)
                       ORDER BY a.provider_id, a.resource_class_id) FROM allocations a
                             WHERE a.consumer_uuid = $1)::text AS rows,
                       (SELECT to_jsonb(c) FROM consumers c WHERE c.uuid = $1)::text AS consumer
                """).execute(Tuple.of(consumer)).await().indefinitely().iterator().next().toJson().toString();
    }

    private void sql(String statement) {
        pool.query(statement).execute().await().indefinitely();
    }
}
