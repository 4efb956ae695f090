package io.berth.placement.inventory;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.http.ErrorCode;
import io.berth.placement.http.Json;
import io.berth.placement.http.Responses;
import io.berth.placement.http.Schema;
import io.berth.placement.provider.KnownProvider;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * The routes {@code /resource_providers/{uuid}/inventories} and {@code
 * /resource_providers/{uuid}/inventories/{resource_class}}: show and change a provider's inventories. Source: upstream
 * api-ref, "resource provider inventories".
 */
@Startup
@Singleton
@Path("/resource_providers/{uuid}/inventories")
public final class InventoriesEndpoint {
    private static final Schema POST_ONE = Schema.load("inventory-post");
    private static final Schema PUT_ONE = Schema.load("inventory-put");
    private static final Schema PUT_ALL = Schema.load("inventories-put");
    private static final String CHANGED_BY_OTHERS =
            "Another thread concurrently updated the resource provider data. Please retry your update";

    private final FleetFeed feed;
    private final InventoryStore store;
    private final BodyWorker bodyWorker;
    private final InventoryChangeLog changeLog;

    InventoriesEndpoint(FleetFeed feed, InventoryStore store, BodyWorker bodyWorker, InventoryChangeLog changeLog) {
        this.bodyWorker = bodyWorker;
        this.changeLog = changeLog;
        this.feed = feed;
        this.store = store;
    }

    @GET
    public Uni<Response> list(@PathParam("uuid") String uuid, @Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:inventories:list");
        return feed.fresh().map(view -> {
            Provider provider = KnownProvider.get(view, uuid, " : ");
            Map<String, InventoryJson> byName = new LinkedHashMap<>();
            for (int i = 0; i < provider.inventories().size(); i++) {
                byName.put(
                        view.resourceClasses().name(provider.inventories().classIds()[i]),
                        new InventoryJson(provider.inventories().get(i), false));
            }
            return allResponse(call, provider.generation(), byName, provider.inventories().updatedAtMs());
        });
    }

    @GET
    @Path("/{resource_class}")
    public Uni<Response> show(
            @PathParam("uuid") String uuid, @PathParam("resource_class") String resourceClass,
            @Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:inventories:show");
        return feed.fresh().map(view -> {
            Provider provider = KnownProvider.get(view, uuid, " : ");
            NameCatalogue.Entry entry = view.resourceClasses().find(resourceClass);
            int position = entry == null ? -1 : provider.inventories().find(entry.id());
            if (position < 0) {
                throw ApiException.notFound("No inventory of class " + resourceClass + " for " + uuid);
            }
            var inventory = new InventoryJson(provider.inventories().get(position), false);
            return oneResponse(call, 200, provider.generation(), inventory, provider.inventories().updatedAtMs())
                    .build();
        });
    }

    @POST
    @Cancellable(false)
    public Uni<Response> create(@PathParam("uuid") String uuid, byte[] body, @Context RoutingContext http) {
        Call call = Call.of(http).requireJson().allow("placement:resource_providers:inventories:create");
        return feed.fresh().emitOn(bodyWorker.executorFor(body)).chain(view -> {
            Provider provider = KnownProvider.get(view, uuid);
            JsonNode request = POST_ONE.parse(body);
            String resourceClass = request.get("resource_class").textValue();
            InventoryJson inventory = InventoryJson.parse(request);
            String messagePrefix = "Unable to create inventory for resource provider " + uuid + ": ";
            requireCapacity(call, uuid, resourceClass, inventory, messagePrefix);
            NameCatalogue.Entry entry = view.resourceClasses().find(resourceClass);
            if (entry == null) {
                throw ApiException.badRequest(messagePrefix + noSuchClass(resourceClass));
            }
            return store.create(provider.id(), entry.id(), inventory.inventory()).map(outcome -> switch (outcome) {
                case InventoryOutcome.Done done -> {
                    changeLog.logChange(call, view, provider, resourceClass, inventory.inventory());
                    yield oneResponse(call, 201, done.generation(), inventory, System.currentTimeMillis())
                            .header(
                                    "Location",
                                    call.absoluteUrl("/resource_providers/" + uuid + "/inventories/" + resourceClass))
                            .build();
                }
                case InventoryOutcome.AlreadyExists _ -> throw ApiException.concurrentUpdate(
                        "Update conflict: Inventory of class " + resourceClass + " on resource provider " + uuid
                                + " already exists.");
                case InventoryOutcome.ResourceClassGone _ ->
                    throw ApiException.badRequest(messagePrefix + noSuchClass(resourceClass));
                case InventoryOutcome.ProviderGone _ -> throw KnownProvider.noSuchProvider(uuid);
                case InventoryOutcome.GenerationConflict _, InventoryOutcome.InUse _, InventoryOutcome.NoInventory _ ->
                    throw impossible(outcome);
            });
        });
    }

    @PUT
    @Cancellable(false)
    public Uni<Response> replaceAll(@PathParam("uuid") String uuid, byte[] body, @Context RoutingContext http) {
        Call call = Call.of(http).requireJson().allow("placement:resource_providers:inventories:update");
        return feed.fresh().emitOn(bodyWorker.executorFor(body)).chain(view -> {
            Provider provider = KnownProvider.get(view, uuid);
            JsonNode request = PUT_ALL.parse(body);
            requireGeneration(provider, request);
            Map<String, InventoryJson> byName = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> member : request.get("inventories").properties()) {
                byName.put(member.getKey(), InventoryJson.parse(member.getValue()));
            }
            byName.forEach((name, inventory) -> requireCapacity(call, uuid, name, inventory, unableToUpdate(uuid)));
            Map<Integer, Inventory> byClassId = new LinkedHashMap<>();
            byName.forEach((name, inventory) -> {
                NameCatalogue.Entry entry = view.resourceClasses().find(name);
                if (entry == null) {
                    throw unknownClass(uuid, noSuchClass(name));
                }
                byClassId.put(entry.id(), inventory.inventory());
            });
            return store.replaceAll(provider.id(), provider.generation(), byClassId).map(outcome -> switch (outcome) {
                case InventoryOutcome.Done done -> {
                    Map<String, Inventory> now = new LinkedHashMap<>();
                    byName.forEach((name, inventory) -> now.put(name, inventory.inventory()));
                    changeLog.logReplacement(call, view, provider, now);
                    yield allResponse(call, done.generation(), byName, System.currentTimeMillis());
                }
                case InventoryOutcome.GenerationConflict _ ->
                    throw ApiException.concurrentUpdate("update conflict: " + CHANGED_BY_OTHERS);
                case InventoryOutcome.InUse inUse -> throw new ApiException(
                        409, ErrorCode.INVENTORY_IN_USE, "update conflict: " + inUse(view, uuid, inUse));
                case InventoryOutcome.ResourceClassGone _ ->
                    throw unknownClass(uuid, "a resource class was deleted meanwhile.");
                case InventoryOutcome.ProviderGone _ -> throw KnownProvider.noSuchProvider(uuid);
                case InventoryOutcome.AlreadyExists _, InventoryOutcome.NoInventory _ -> throw impossible(outcome);
            });
        });
    }

    @PUT
    @Cancellable(false)
    @Path("/{resource_class}")
    public Uni<Response> update(
            @PathParam("uuid") String uuid, @PathParam("resource_class") String resourceClass, byte[] body,
            @Context RoutingContext http) {
        Call call = Call.of(http).requireJson().allow("placement:resource_providers:inventories:update");
        return feed.fresh().emitOn(bodyWorker.executorFor(body)).chain(view -> {
            Provider provider = KnownProvider.get(view, uuid);
            JsonNode request = PUT_ONE.parse(body);
            requireGeneration(provider, request);
            InventoryJson inventory = InventoryJson.parse(request);
            requireCapacity(call, uuid, resourceClass, inventory, unableToUpdate(uuid));
            NameCatalogue.Entry entry = view.resourceClasses().find(resourceClass);
            if (entry == null) {
                throw ApiException.notFound(noSuchClass(resourceClass));
            }
            var updated = store.update(provider.id(), provider.generation(), entry.id(), inventory.inventory());
            return updated.map(outcome -> switch (outcome) {
                case InventoryOutcome.Done done -> {
                    changeLog.logChange(call, view, provider, resourceClass, inventory.inventory());
                    yield oneResponse(call, 200, done.generation(), inventory, System.currentTimeMillis()).build();
                }
                case InventoryOutcome.GenerationConflict _ ->
                    throw ApiException.concurrentUpdate("update conflict: " + CHANGED_BY_OTHERS);
                case InventoryOutcome.NoInventory _ -> throw ApiException.badRequest(
                        "No inventory record with resource class for resource provider " + uuid
                                + ": No inventory of class " + resourceClass + " found.");
                case InventoryOutcome.ProviderGone _ -> throw KnownProvider.noSuchProvider(uuid);
                case InventoryOutcome.AlreadyExists _, InventoryOutcome.InUse _, InventoryOutcome.ResourceClassGone _ ->
                    throw impossible(outcome);
            });
        });
    }

    /** Deletes all inventories; 405 before microversion 1.5. */
    @DELETE
    @Cancellable(false)
    public Uni<Response> deleteAll(@PathParam("uuid") String uuid, @Context RoutingContext http) {
        Call call = Call.of(http);
        if (!call.atLeast(5)) {
            throw new ApiException(405, ErrorCode.UNDEFINED, "");
        }
        call.allow("placement:resource_providers:inventories:delete");
        return feed.fresh().chain(view -> {
            Provider provider = KnownProvider.get(view, uuid);
            return store.deleteAll(provider.id()).map(outcome -> switch (outcome) {
                case InventoryOutcome.Done _ -> {
                    changeLog.logReplacement(call, view, provider, Map.of());
                    yield Responses.noContent();
                }
                case InventoryOutcome.InUse inUse ->
                    throw new ApiException(409, ErrorCode.INVENTORY_IN_USE, inUse(view, uuid, inUse));
                case InventoryOutcome.ProviderGone _ -> throw KnownProvider.noSuchProvider(uuid);
                case InventoryOutcome.AlreadyExists _, InventoryOutcome.GenerationConflict _,
                        InventoryOutcome.NoInventory _, InventoryOutcome.ResourceClassGone _ ->
                    throw impossible(outcome);
            });
        });
    }

    @DELETE
    @Cancellable(false)
    @Path("/{resource_class}")
    public Uni<Response> delete(
            @PathParam("uuid") String uuid, @PathParam("resource_class") String resourceClass,
            @Context RoutingContext http) {
        Call call = Call.of(http).allow("placement:resource_providers:inventories:delete");
        return feed.fresh().chain(view -> {
            Provider provider = KnownProvider.get(view, uuid);
            NameCatalogue.Entry entry = view.resourceClasses().find(resourceClass);
            String notFoundMessage = "No inventory of class " + resourceClass + " found for delete";
            if (entry == null) {
                throw ApiException.notFound(notFoundMessage + ": " + noSuchClass(resourceClass));
            }
            return store.delete(provider.id(), entry.id()).map(outcome -> switch (outcome) {
                case InventoryOutcome.Done _ -> {
                    changeLog.logChange(call, view, provider, resourceClass, null);
                    yield Responses.noContent();
                }
                case InventoryOutcome.NoInventory _ ->
                    throw ApiException.notFound(notFoundMessage + ": " + notFoundMessage);
                // As in upstream, the error code is that of a concurrent update, not that of an inventory in use.
                case InventoryOutcome.InUse inUse -> throw ApiException.concurrentUpdate(
                        "Unable to delete inventory of class " + resourceClass + ": " + inUse(view, uuid, inUse));
                case InventoryOutcome.ProviderGone _ -> throw KnownProvider.noSuchProvider(uuid);
                case InventoryOutcome.AlreadyExists _, InventoryOutcome.GenerationConflict _,
                        InventoryOutcome.ResourceClassGone _ -> throw impossible(outcome);
            });
        });
    }

    private static void requireGeneration(Provider provider, JsonNode body) {
        if (!KnownProvider.isGenerationOf(provider, body)) {
            throw ApiException.concurrentUpdate("resource provider generation conflict");
        }
    }

    /**
     * Refuses with 400 an inventory whose capacity is negative after truncation ({@link Inventory#truncate}), because
     * more units are reserved than exist; before microversion 1.26, also one whose truncated capacity is 0.
     */
    private static void requireCapacity(
            Call call, String uuid, String resourceClass, InventoryJson inventory, String messagePrefix) {
        boolean mayBeFullyReserved = call.atLeast(26);
        double capacity = Inventory.truncate(inventory.inventory().capacity());
        if (mayBeFullyReserved ? capacity < 0 : capacity <= 0) {
            throw ApiException.badRequest(
                    messagePrefix + "Invalid inventory for '" + resourceClass + "' on resource provider '" + uuid
                            + "'. The reserved value is greater than "
                            + (mayBeFullyReserved ? "total." : "or equal to total."));
        }
    }

    private static String unableToUpdate(String uuid) {
        return "Unable to update inventory for resource provider " + uuid + ": ";
    }

    private static ApiException unknownClass(String uuid, String reason) {
        return ApiException.badRequest(
                "Unknown resource class in inventory for resource provider " + uuid + ": " + reason);
    }

    private static String noSuchClass(String name) {
        return "No such resource class " + name + ".";
    }

    private static String inUse(FleetView view, String uuid, InventoryOutcome.InUse inUse) {
        List<Integer> ids = inUse.classIds();
        return "Inventory for '"
                + ids.stream().map(id -> name(view, id)).collect(Collectors.joining(", "))
                + "' on resource provider '" + uuid + "' in use.";
    }

    /** Returns the name of a resource class for a message; a phrase for a class that was created after the view. */
    private static String name(FleetView view, int classId) {
        NameCatalogue.Entry entry = view.resourceClasses().find(classId);
        return entry == null ? "a new resource class" : entry.name();
    }

    private static IllegalStateException impossible(InventoryOutcome outcome) {
        return new IllegalStateException("unexpected result of this change: " + outcome);
    }

    private static Response.ResponseBuilder oneResponse(
            Call call, int status, int generation, InventoryJson inventory, long updatedAtMs) {
        return Responses.json(call, status, Json.writeObject(json -> {
            inventory.write(json);
            json.writeNumberField("resource_provider_generation", generation);
        }), 15, updatedAtMs);
    }

    private static Response allResponse(
            Call call, int generation, Map<String, InventoryJson> byName, long updatedAtMs) {
        var reply = Responses.json(call, 200, Json.writeObject(json -> {
            json.writeNumberField("resource_provider_generation", generation);
            json.writeObjectFieldStart("inventories");
            for (Map.Entry<String, InventoryJson> entry : byName.entrySet()) {
                json.writeObjectFieldStart(entry.getKey());
                entry.getValue().write(json);
                json.writeEndObject();
            }
            json.writeEndObject();
        }), 15, updatedAtMs);
        if (byName.isEmpty()) {
            // Like upstream, omits Last-Modified if there are no inventories.
            reply.header("Last-Modified", null);
        }
        return reply.build();
    }
}
