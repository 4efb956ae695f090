package io.berth.placement;

import static io.restassured.RestAssured.given;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls the routes of providers over HTTP as an administrator. Names are unique, so tests share one database. */
public final class CatalogueApi {
    private CatalogueApi() {}

    /** Returns a request as admin at this microversion. */
    public static RequestSpecification at(String version) {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement " + version);
    }

    /** Returns a request as admin at this microversion with a JSON body. */
    public static RequestSpecification at(String version, String json) {
        return at(version).contentType("application/json").body(json);
    }

    public static UUID newProvider() {
        return newProvider(null);
    }

    public static UUID newProvider(UUID parent) {
        UUID uuid = UUID.randomUUID();
        create(uuid, "host-" + uuid, parent).then().statusCode(200);
        return uuid;
    }

    public static Response create(UUID uuid, String name, UUID parent) {
        return at("1.39", """
                {"uuid": "%s", "name": "%s", "parent_provider_uuid": %s}""".formatted(uuid, name, quoted(parent)))
                .post("/resource_providers");
    }

    public static Response move(UUID uuid, UUID parent) {
        return at("1.39", """
                {"name": "host-%s", "parent_provider_uuid": %s}""".formatted(uuid, quoted(parent)))
                .put("/resource_providers/" + uuid);
    }

    public static int generation(UUID provider) {
        return at("1.39").get("/resource_providers/" + provider).then().statusCode(200).extract().path("generation");
    }

    /** Sends this many concurrent deletions of one path and returns their statuses in ascending order. */
    public static List<Integer> deleteAtOnce(int times, String path) {
        try (var senders = Executors.newFixedThreadPool(times)) {
            Callable<Integer> deletion = () -> at("1.39").delete(path).statusCode();
            return senders.invokeAll(Collections.nCopies(times, deletion)).stream()
                    .map(Future::resultNow).sorted().toList();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String quoted(UUID uuid) {
        return uuid == null ? "null" : "\"" + uuid + "\"";
    }
}
