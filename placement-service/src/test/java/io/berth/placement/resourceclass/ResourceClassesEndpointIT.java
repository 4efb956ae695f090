package io.berth.placement.resourceclass;

import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.CatalogueApi.deleteAtOnce;
import static io.berth.placement.CatalogueApi.newProvider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.model.StandardResourceClasses;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests {@code /resource_classes} over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ResourceClassesEndpointIT {
    private final String name = "CUSTOM_" + UUID.randomUUID().toString().replace("-", "_").toUpperCase(Locale.ROOT);
    private final String path = "/resource_classes/" + name;

    @Test
    void returns404Before1Dot2() {
        at("1.1").get("/resource_classes").then().statusCode(404);
        at("1.1").get("/resource_classes/VCPU").then().statusCode(404);
        at("1.1", named(name)).post("/resource_classes").then().statusCode(404);
        at("1.2").get("/resource_classes/VCPU").then().statusCode(200)
                .header("last-modified", nullValue())
                .body("name", equalTo("VCPU")).body("links[0].href", equalTo("/resource_classes/VCPU"));
    }

    @Test
    void listsAllStandardClasses() {
        at("1.2").get("/resource_classes").then()
                .body("resource_classes.name", hasItems(StandardResourceClasses.NAMES.toArray()));
    }

    @Test
    void createsShowsListsAndDeletesAClass() {
        at("1.39", named(name)).post("/resource_classes").then().statusCode(201).header("location", endsWith(path))
                .body(equalTo(""));
        at("1.39", named(name)).post("/resource_classes").then().statusCode(409)
                .body("errors[0].detail", containsString("Conflicting resource class already exists: " + name));
        at("1.15").get(path).then().statusCode(200).header("last-modified", endsWith("GMT"))
                .header("cache-control", "no-cache");
        at("1.2").get("/resource_classes").then().body("resource_classes.name", hasItems("VCPU", "MEMORY_MB", name));
        at("1.39").delete(path).then().statusCode(204);
        at("1.39").delete(path).then().statusCode(404)
                .body("errors[0].detail", containsString("No such resource class " + name + "."));
    }

    @Test
    void acceptsOneOfManyConcurrentDeletions() {
        for (int round = 0; round < 5; round++) {
            at("1.39").put(path).then().statusCode(201);
            assertThat(deleteAtOnce(8, path)).containsExactly(204, 404, 404, 404, 404, 404, 404, 404);
        }
    }

    @Test
    void renamesAClassBefore1Dot7KeepingItsInventories() {
        String other = name + "_2";
        at("1.2", named(name)).post("/resource_classes").then().statusCode(201);
        UUID provider = newProvider();
        at("1.39", "{\"resource_class\": \"" + name + "\", \"total\": 3}")
                .post("/resource_providers/" + provider + "/inventories").then().statusCode(201);
        at("1.6", named(other)).put(path).then().statusCode(200).body("name", equalTo(other));
        at("1.39").get(path).then().statusCode(404);
        at("1.39").get("/resource_providers/" + provider + "/inventories").then().body("inventories", hasKey(other));
        at("1.2", named(name)).post("/resource_classes").then().statusCode(201);
        at("1.6", named(other)).put(path).then().statusCode(409)
                .body("errors[0].detail", containsString("Resource class already exists: " + other));
        at("1.6", named(name + "_3")).put("/resource_classes/VCPU").then().statusCode(400)
                .body("errors[0].detail", containsString("Cannot update standard resource class VCPU"));
        at("1.6").put(path).then().statusCode(415);
    }

    @Test
    void keepsLastModifiedUnlessTheNameChanges() {
        String before = "Wed, 01 Jan 2020 00:00:00 GMT";
        at("1.2", named(name)).post("/resource_classes").then().statusCode(201);
        PostgresForTests.run(PostgresForTests.url(), """
                UPDATE placement.resource_classes SET updated_at = '2020-01-01T00:00:00Z' WHERE name = '%s'"""
                .formatted(name));
        at("1.6", named(name)).put(path).then().statusCode(200);
        at("1.15").get(path).then().header("last-modified", equalTo(before));
        at("1.6", named(name + "_2")).put(path).then().statusCode(200);
        at("1.15").get(path + "_2").then().header("last-modified", not(equalTo(before)));
    }

    @Test
    void createsAMissingClassByPutFrom1Dot7() {
        at("1.7").put(path).then().statusCode(201).header("location", endsWith(path));
        at("1.7").put(path).then().statusCode(204).header("location", endsWith(path));
        at("1.7").put("/resource_classes/VCPU").then().statusCode(400);
    }

    @Test
    void refusesNamesThatAreNotCustom() {
        for (String bad : new String[] {"MINE", "CUSTOM_", "CUSTOM_lower", "CUSTOM_" + "A".repeat(249)}) {
            at("1.39").put("/resource_classes/" + bad).then().statusCode(400);
            at("1.39", named(bad)).post("/resource_classes").then().statusCode(400);
        }
        // The end of the pattern also matches before a final line break.
        at("1.39", named(name + "\\n")).post("/resource_classes").then().statusCode(400);
        at("1.39").urlEncodingEnabled(false).put(path + "%0A").then().statusCode(400);
        at("1.39").delete("/resource_classes/VCPU").then().statusCode(400)
                .body(
                        "errors[0].detail",
                        containsString("Error in delete resource class: Cannot delete standard resource class VCPU."));
    }

    @Test
    void refusesToDeleteAClassInUse() {
        UUID provider = newProvider();
        at("1.39").put(path).then().statusCode(201);
        at("1.39", "{\"resource_class\": \"" + name + "\", \"total\": 3}")
                .post("/resource_providers/" + provider + "/inventories").then().statusCode(201);
        at("1.39").delete(path).then().statusCode(409)
                .body("errors[0].detail", containsString("Class is in use in inventory."));
        at("1.39").delete("/resource_providers/" + provider + "/inventories/" + name).then().statusCode(204);
        at("1.39").delete(path).then().statusCode(204);
    }

    private static String named(String name) {
        return "{\"name\": \"" + name + "\"}";
    }
}
