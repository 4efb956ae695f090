package io.berth.placement.trait;

import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.CatalogueApi.deleteAtOnce;
import static io.berth.placement.CatalogueApi.generation;
import static io.berth.placement.CatalogueApi.newProvider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.model.StandardTraits;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests {@code /traits} and the traits of a provider over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class TraitsEndpointIT {
    private final String trait = "CUSTOM_" + UUID.randomUUID().toString().replace("-", "_").toUpperCase(Locale.ROOT);

    @Test
    void returns404Before1Dot6() {
        String ofProvider = "/resource_providers/" + newProvider() + "/traits";
        for (String path : new String[] {"/traits", "/traits/HW_CPU_X86_VMX", ofProvider}) {
            at("1.5").get(path).then().statusCode(404);
            at("1.5").put(path).then().statusCode(path.equals("/traits") ? 405 : 404);
        }
        at("1.6").get("/traits/HW_CPU_X86_VMX").then().statusCode(204).header("last-modified", nullValue());
        at("1.15").get("/traits/HW_CPU_X86_VMX").then().statusCode(204).header("last-modified", endsWith("GMT"));
    }

    @Test
    void listsAllStandardTraits() {
        at("1.6").get("/traits").then().body("traits", hasItems(StandardTraits.NAMES.toArray()));
    }

    @Test
    void createsAndDeletesATrait() {
        String path = "/traits/" + trait;
        at("1.39").get(path).then().statusCode(404)
                .body("errors[0].detail", containsString("No such trait(s): " + trait + "."));
        at("1.39").put(path).then().statusCode(201).header("location", endsWith(path))
                .header("cache-control", "no-cache");
        at("1.6").put(path).then().statusCode(204).header("location", endsWith(path))
                .header("cache-control", nullValue());
        at("1.39").delete(path).then().statusCode(204);
        at("1.39").delete(path).then().statusCode(404);
    }

    @Test
    void acceptsOneOfManyConcurrentDeletions() {
        for (int round = 0; round < 5; round++) {
            at("1.39").put("/traits/" + trait).then().statusCode(201);
            assertThat(deleteAtOnce(8, "/traits/" + trait)).containsExactly(204, 404, 404, 404, 404, 404, 404, 404);
        }
    }

    @Test
    void refusesNamesThatAreNotCustom() {
        for (String name : new String[] {"MINE", "CUSTOM_", "CUSTOM_lower", "CUSTOM_A-B",
            "CUSTOM_" + "A".repeat(249)}) {
            at("1.39").put("/traits/" + name).then().statusCode(400)
                    .body("errors[0].detail", containsString("The trait is invalid."));
        }
        at("1.39").delete("/traits/HW_CPU_X86_VMX").then().statusCode(400)
                .body("errors[0].detail", containsString("Cannot delete standard trait HW_CPU_X86_VMX."));
    }

    @Test
    void listsByNameAndUse() {
        at("1.39").put("/traits/" + trait).then().statusCode(201);
        at("1.39").get("/traits?name=in:" + trait + ",HW_CPU_X86_VMX,NONE").then()
                .body("traits", containsInAnyOrder(trait, "HW_CPU_X86_VMX"));
        at("1.39").get("/traits?name=startswith:" + trait).then().body("traits", contains(trait));
        at("1.39").get("/traits?name=startswith:HW_GPU").then().body("traits", everyItem(startsWith("HW_GPU")));
        at("1.39").get("/traits?associated=false&name=startswith:" + trait).then().body("traits", contains(trait));
        at("1.39").get("/traits?associated=True&name=startswith:" + trait).then().body("traits", empty());
        set(newProvider(), 0, "\"" + trait + "\"").statusCode(200);
        at("1.39").get("/traits?associated=true").then().body("traits", hasItem(trait));
        at("1.39").get("/traits?associated=false").then().body("traits", not(hasItem(trait)));
        at("1.39").get("/traits?associated=perhaps").then().statusCode(400);
        at("1.39").get("/traits?name=HW").then().statusCode(400)
                .body("errors[0].detail", containsString("Badly formatted name"));
        at("1.39").get("/traits?colour=red").then().statusCode(400);
    }

    @Test
    void incrementsTheProvidersGenerationOnlyOnChange() {
        UUID provider = newProvider();
        String path = "/resource_providers/" + provider + "/traits";
        at("1.39").get(path).then().statusCode(200).body("traits", empty())
                .body("resource_provider_generation", equalTo(0));
        set(provider, 0, "\"HW_CPU_X86_VMX\", \"HW_CPU_X86_AVX\"").statusCode(200)
                .body("traits", containsInAnyOrder("HW_CPU_X86_VMX", "HW_CPU_X86_AVX"))
                .body("resource_provider_generation", equalTo(1));
        set(provider, 1, "\"HW_CPU_X86_AVX\", \"HW_CPU_X86_VMX\"").statusCode(200)
                .body("resource_provider_generation", equalTo(1));
        set(provider, 0, "").statusCode(409)
                .body("errors[0].code", equalTo("placement.concurrent_update"))
                .body("errors[0].detail", containsString("Resource provider's generation already changed."));
        set(provider, 1, "\"CUSTOM_NOBODY\"").statusCode(400)
                .body("errors[0].detail", containsString("No such trait CUSTOM_NOBODY"));
        at("1.39").delete(path).then().statusCode(204);
        assertThat(generation(provider)).isEqualTo(2);
        at("1.39").delete(path).then().statusCode(204);
        assertThat(generation(provider)).isEqualTo(2);
        at("1.39").get("/resource_providers/" + UUID.randomUUID() + "/traits").then().statusCode(404);
    }

    @Test
    void refusesToDeleteATraitInUse() {
        UUID provider = newProvider();
        at("1.39").put("/traits/" + trait).then().statusCode(201);
        set(provider, 0, "\"" + trait + "\"").statusCode(200);
        at("1.39").delete("/traits/" + trait).then().statusCode(409)
                .body("errors[0].detail", containsString("The trait " + trait + " is in use by a resource provider."));
        at("1.39").delete("/resource_providers/" + provider).then().statusCode(204);
        at("1.39").delete("/traits/" + trait).then().statusCode(204);
    }

    private static ValidatableResponse set(UUID provider, int generation, String traits) {
        return at("1.39", "{\"resource_provider_generation\": " + generation + ", \"traits\": [" + traits + "]}")
                .put("/resource_providers/" + provider + "/traits").then();
    }
}
