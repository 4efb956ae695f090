package io.berth.placement.usage;

import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.Responses;
import io.berth.placement.provider.KnownProvider;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

/** The route {@code GET /resource_providers/{uuid}/usages}: shows the use of each inventory of a provider. */
@Path("/resource_providers/{uuid}/usages")
public final class ProviderUsagesEndpoint {
    private final FleetFeed fleet;

    ProviderUsagesEndpoint(FleetFeed fleet) {
        this.fleet = fleet;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext http, @PathParam("uuid") String uuid) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:usages");
        return fleet.fresh().map(view -> {
            Provider provider = KnownProvider.get(view, uuid, ": ");
            return Responses.ok(call, render(view, provider), System.currentTimeMillis());
        });
    }

    private static byte[] render(FleetView view, Provider provider) {
        return Json.writeObject(json -> {
            json.writeNumberField("resource_provider_generation", provider.generation());
            json.writeObjectFieldStart("usages");
            Inventories inventories = provider.inventories();
            for (int i = 0; i < inventories.size(); i++) {
                json.writeNumberField(view.resourceClasses().name(inventories.classIds()[i]), inventories.used()[i]);
            }
            json.writeEndObject();
        });
    }
}
