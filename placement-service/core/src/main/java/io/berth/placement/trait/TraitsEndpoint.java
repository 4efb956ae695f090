package io.berth.placement.trait;

import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.http.Responses;
import io.berth.placement.http.Schema;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.Cancellable;

/** The routes {@code /traits} and {@code /traits/{name}}, from microversion 1.6. Source: upstream api-ref, "traits". */
@Startup
@Singleton
@Path("/traits")
public final class TraitsEndpoint {
    private static final Schema QUERY_SCHEMA = Schema.load("traits");
    private static final String CUSTOM_PREFIX = "CUSTOM_";
    private static final Pattern CUSTOM_NAME = Pattern.compile("CUSTOM_[A-Z0-9_]+");
    private static final int NAME_LENGTH_MAX = 255;

    private final FleetFeed feed;
    private final TraitStore store;

    TraitsEndpoint(FleetFeed feed, TraitStore store) {
        this.feed = feed;
        this.store = store;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).require(6).requireAccept().allow("placement:traits:list");
        QUERY_SCHEMA.checkQuery(call.query());
        TraitFilter filter = TraitFilter.parse(call);
        return feed.fresh().map(view -> TraitsJson.reply(call, filter.list(view), null));
    }

    @GET
    @Path("/{name}")
    public Uni<Response> show(@PathParam("name") String name, @Context RoutingContext http) {
        Call call = Call.of(http).require(6).allow("placement:traits:show");
        return feed.fresh().map(view -> Responses.empty(call, 204, 15, get(view, name).updatedAtMs()).build());
    }

    @PUT
    @Cancellable(false)
    @Path("/{name}")
    public Uni<Response> create(@PathParam("name") String name, @Context RoutingContext http) {
        Call call = Call.of(http).require(6).allow("placement:traits:update");
        if (name.length() > NAME_LENGTH_MAX || !CUSTOM_NAME.matcher(name).matches()) {
            throw ApiException.badRequest(
                    "The trait is invalid. A valid trait must be no longer than 255 characters, start "
                            + "with the prefix \"CUSTOM_\" and use following characters: "
                            + "\"A\"-\"Z\", \"0\"-\"9\" and \"_\"");
        }
        return feed.fresh().chain(view -> {
            NameCatalogue.Entry existing = view.traits().find(name);
            return existing != null
                    ? Uni.createFrom().item(creationResponse(call, 204, name, existing.updatedAtMs()))
                    : store.create(name).map(isNew -> creationResponse(
                            call, isNew ? 201 : 204, name, System.currentTimeMillis()));
        });
    }

    private static Response creationResponse(Call call, int status, String name, long updatedAtMs) {
        return Responses.empty(call, status, 15, updatedAtMs).header("Location", call.absoluteUrl("/traits/" + name))
                .build();
    }

    @DELETE
    @Cancellable(false)
    @Path("/{name}")
    public Uni<Response> delete(@PathParam("name") String name, @Context RoutingContext http) {
        Call.of(http).require(6).allow("placement:traits:delete");
        return feed.fresh().chain(view -> {
            NameCatalogue.Entry trait = get(view, name);
            if (!name.startsWith(CUSTOM_PREFIX)) {
                throw ApiException.badRequest("Cannot delete standard trait " + name + ".");
            }
            Uni<TraitDeletion> deletion = view.slotsWithTrait(trait.id()).size() > 0
                    ? Uni.createFrom().item(TraitDeletion.IN_USE)
                    : store.delete(trait.id());
            return deletion.map(result -> switch (result) {
                case DELETED -> Responses.noContent();
                case GONE -> throw noSuchTrait(name);
                case IN_USE -> throw ApiException.conflict("The trait " + name + " is in use by a resource provider.");
            });
        });
    }

    private static NameCatalogue.Entry get(FleetView view, String name) {
        NameCatalogue.Entry trait = view.traits().find(name);
        if (trait == null) {
            throw noSuchTrait(name);
        }
        return trait;
    }

    private static ApiException noSuchTrait(String name) {
        return ApiException.notFound("No such trait(s): " + name + ".");
    }
}
