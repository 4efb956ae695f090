package io.berth.placement.resourceclass;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.Responses;
import io.berth.placement.http.Schema;
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
import java.io.IOException;
import java.util.List;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * The routes {@code /resource_classes} and {@code /resource_classes/{name}}, from microversion 1.2. Source: upstream
 * api-ref, "resource classes".
 */
@Startup
@Singleton
@Path("/resource_classes")
public final class ResourceClassesEndpoint {
    private static final Schema CUSTOM_CLASS = Schema.load("resource-class");
    /**
     * The lowest id of a custom class; standard classes have lower ids. Source: upstream {@code
     * objects/resource_class.py}.
     */
    private static final int CUSTOM_ID_MIN = 10_000;

    private final FleetFeed feed;
    private final ResourceClassStore store;
    private final BodyWorker bodyWorker;

    ResourceClassesEndpoint(FleetFeed feed, ResourceClassStore store, BodyWorker bodyWorker) {
        this.bodyWorker = bodyWorker;
        this.feed = feed;
        this.store = store;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).require(2).requireAccept().allow("placement:resource_classes:list");
        return feed.fresh().map(view -> {
            List<NameCatalogue.Entry> all = view.resourceClasses().list();
            long latestMs =
                    all.stream().mapToLong(NameCatalogue.Entry::updatedAtMs).max().orElseGet(System::currentTimeMillis);
            String prefix = call.prefix();
            byte[] body = Json.writeObject(json -> JsonLists.writeArray(json, "resource_classes", all,
                    resourceClass -> write(json, resourceClass.name(), prefix)));
            return Responses.ok(call, body, latestMs);
        });
    }

    @POST
    @Cancellable(false)
    public Uni<Response> create(byte[] body, @Context RoutingContext http) {
        Call call = Call.of(http).require(2).requireJson().allow("placement:resource_classes:create");
        return bodyWorker.run(body, () -> create(call, CUSTOM_CLASS.parse(body).get("name").textValue()));
    }

    private Uni<Response> create(Call call, String name) {
        return feed.fresh()
                .chain(view -> create(view, name))
                .map(outcome -> switch (outcome) {
                    case DONE -> located(call, 201, name);
                    case NAME_TAKEN ->
                        throw ApiException.conflict("Conflicting resource class already exists: " + name);
                    case GONE, IN_USE -> throw impossible(outcome);
                });
    }

    private Uni<ResourceClassOutcome> create(FleetView view, String name) {
        return view.resourceClasses().find(name) != null
                ? Uni.createFrom().item(ResourceClassOutcome.NAME_TAKEN)
                : store.create(name);
    }

    @GET
    @Path("/{name}")
    public Uni<Response> show(@PathParam("name") String name, @Context RoutingContext http) {
        Call call = Call.of(http).require(2).requireAccept().allow("placement:resource_classes:show");
        return feed.fresh().map(view -> {
            NameCatalogue.Entry entry = get(view, name);
            return Responses.ok(call, one(name, call.prefix()), entry.updatedAtMs());
        });
    }

    /**
     * Below microversion 1.7, renames the class to the name in the body. From 1.7, creates the class unless it exists,
     * and ignores the body.
     */
    @PUT
    @Cancellable(false)
    @Path("/{name}")
    public Uni<Response> put(@PathParam("name") String name, byte[] body, @Context RoutingContext http) {
        Call call = Call.of(http).require(2);
        return call.atLeast(7) ? ensure(call, name) : rename(call, name, body);
    }

    private Uni<Response> ensure(Call call, String name) {
        call.allow("placement:resource_classes:update");
        CUSTOM_CLASS.parse(Json.write(Json.object().put("name", name)));
        return feed.fresh()
                .chain(view -> create(view, name))
                .map(outcome -> switch (outcome) {
                    case DONE -> located(call, 201, name);
                    case NAME_TAKEN -> located(call, 204, name);
                    case GONE, IN_USE -> throw impossible(outcome);
                });
    }

    private Uni<Response> rename(Call call, String name, byte[] body) {
        call.requireJson();
        call.allow("placement:resource_classes:update");
        return bodyWorker.run(body, () -> rename(call, name, CUSTOM_CLASS.parse(body).get("name").textValue()));
    }

    private Uni<Response> rename(Call call, String name, String newName) {
        return feed.fresh().chain(view -> {
            NameCatalogue.Entry entry = get(view, name);
            if (entry.id() < CUSTOM_ID_MIN) {
                throw ApiException.badRequest("Cannot update standard resource class " + name);
            }
            return store.rename(entry.id(), newName).map(outcome -> switch (outcome) {
                case DONE -> Responses.ok(call, one(newName, call.prefix()), System.currentTimeMillis());
                case GONE -> throw noSuchClass(name);
                case NAME_TAKEN -> throw ApiException.conflict("Resource class already exists: " + newName);
                case IN_USE -> throw impossible(outcome);
            });
        });
    }

    @DELETE
    @Cancellable(false)
    @Path("/{name}")
    public Uni<Response> delete(@PathParam("name") String name, @Context RoutingContext http) {
        Call.of(http).require(2).allow("placement:resource_classes:delete");
        return feed.fresh().chain(view -> {
            NameCatalogue.Entry entry = get(view, name);
            if (entry.id() < CUSTOM_ID_MIN) {
                throw ApiException.badRequest(
                        "Error in delete resource class: Cannot delete standard resource class " + name + ".");
            }
            Uni<ResourceClassOutcome> deletion = view.slotsWithClass(entry.id()).size() > 0
                    ? Uni.createFrom().item(ResourceClassOutcome.IN_USE)
                    : store.delete(entry.id());
            return deletion.map(outcome -> switch (outcome) {
                case DONE -> Responses.noContent();
                case GONE -> throw noSuchClass(name);
                case IN_USE -> throw ApiException.conflict(
                        "Error in delete resource class: Cannot delete resource class "
                                + name + ". Class is in use in inventory.");
                case NAME_TAKEN -> throw impossible(outcome);
            });
        });
    }

    private static NameCatalogue.Entry get(FleetView view, String name) {
        NameCatalogue.Entry entry = view.resourceClasses().find(name);
        if (entry == null) {
            throw noSuchClass(name);
        }
        return entry;
    }

    private static ApiException noSuchClass(String name) {
        return ApiException.notFound("No such resource class " + name + ".");
    }

    private static IllegalStateException impossible(ResourceClassOutcome outcome) {
        return new IllegalStateException("unexpected result of this change: " + outcome);
    }

    private static Response located(Call call, int status, String name) {
        return Response.status(status).header("Location", call.absoluteUrl("/resource_classes/" + name)).build();
    }

    private static byte[] one(String name, String prefix) {
        return Json.write(json -> write(json, name, prefix));
    }

    private static void write(JsonGenerator json, String name, String prefix) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", name);
        json.writeArrayFieldStart("links");
        json.writeStartObject();
        json.writeStringField("rel", "self");
        json.writeStringField("href", prefix + "/resource_classes/" + name);
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }
}
