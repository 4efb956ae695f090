package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.placement;

import io.restassured.response.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Creates resource providers in placement and repeats writes that meet the placement sync. */
final class Providers {
    private Providers() {}

    /**
     * Creates a resource provider with inventories and traits.
     *
     * @param parent null for a root
     * @return its uuid
     */
    static String add(String uuid, String name, String parent, Map<String, ?> inventories, List<String> traits) {
        Map<String, Object> body = new HashMap<>(Map.of("name", name, "uuid", uuid));
        if (parent != null) {
            body.put("parent_provider_uuid", parent);
        }
        placement().body(body).post("/resource_providers").then().statusCode(200);
        written(() -> placement()
                .body(Map.of("resource_provider_generation", generation(uuid), "inventories", inventories))
                .put("/resource_providers/" + uuid + "/inventories")).then().statusCode(200);
        written(() -> placement().body(Map.of("resource_provider_generation", generation(uuid), "traits", traits))
                .put("/resource_providers/" + uuid + "/traits")).then().statusCode(200);
        return uuid;
    }

    static void join(String uuid, List<String> aggregates) {
        written(() -> placement()
                .body(Map.of("resource_provider_generation", generation(uuid), "aggregates", aggregates))
                .put("/resource_providers/" + uuid + "/aggregates")).then().statusCode(200);
    }

    static int generation(String uuid) {
        return placement().get("/resource_providers/" + uuid).path("generation");
    }

    /** Repeats the write while the placement sync writes the same provider. */
    static Response written(Supplier<Response> write) {
        Response response = write.get();
        while (response.statusCode() == 409 && response.asString().contains("placement.concurrent_update")) {
            response = write.get();
        }
        return response;
    }
}
