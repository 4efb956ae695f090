package io.berth.scheduler.fleet;

import io.berth.identity.Caller;
import io.berth.identity.Identification;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.registry.instance.InstanceNames;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.placement.http.ResourceProviders;
import io.berth.scheduler.placementsync.RatioSources;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code GET /v1/fleet}: returns all provider trees and their hosts, as columns ({@link FleetColumns}).
 * {@code GET /v1/fleet/{uuid}}: returns the host of a resource provider.
 * {@code PUT /v1/fleet/{uuid}/inventories/{resource_class}}: changes an allocation ratio or a reserved amount in
 * placement.
 */
@Path("/v1/fleet")
@Produces(MediaType.APPLICATION_JSON)
public class FleetEndpoint {
    private final FleetOverviews overviews;
    private final ResourceProviders providers;
    private final RegistryFeed registry;
    private final InstanceNames names;
    private final InventoryEdits edits;
    private final RatioSources ratios;
    private final Duration serviceDownTime;

    FleetEndpoint(
            FleetOverviews overviews,
            ResourceProviders providers,
            RegistryFeed registry,
            InstanceNames names,
            InventoryEdits edits,
            ConfiguredOptions configured) {
        this.overviews = overviews;
        this.providers = providers;
        this.registry = registry;
        this.names = names;
        this.edits = edits;
        this.ratios = new RatioSources(configured.options().defaults().inventory());
        this.serviceDownTime = Duration.ofSeconds(configured.options().defaults().serviceDownTimeSeconds());
    }

    @GET
    public Uni<byte[]> list(@Context RoutingContext http) {
        return overviews.latest(RequestId.of(http));
    }

    @GET
    @Path("/{uuid}")
    public Uni<String> show(@PathParam("uuid") String uuid, @Context RoutingContext http) {
        return show(provider(uuid), RequestId.of(http));
    }

    private Uni<String> show(UUID provider, String requestId) {
        return registry.current().chain(registered -> providers.tree(provider, requestId)
                .map(result -> HostDetails.render(
                        InventoryEdits.bodyOf(result, provider), registered, ratios, serviceDownTime)))
                .chain(host -> names.namesOf(HostDetails.instances(host))
                        .map(instanceNames -> HostDetails.renderWithNames(host, instanceNames)));
    }

    /** Changes an inventory, and returns the host as it is after the change. */
    @PUT
    @Path("/{uuid}/inventories/{resource_class}")
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<String> change(
            @PathParam("uuid") String uuid, @PathParam("resource_class") String resourceClass, byte[] body,
            @Context RoutingContext http) {
        UUID provider = provider(uuid);
        InventoryEdit edit = InventoryEdit.read(JsonBody.ofRequest(body));
        String requestId = RequestId.of(http);
        Caller caller = Identification.callerOf(http);
        return edits.apply(provider, resourceClass, edit, caller, requestId).chain(() -> show(provider, requestId));
    }

    private static UUID provider(String text) {
        UUID uuid = Uuids.find(text);
        if (uuid == null) {
            throw ApiFault.notFound("there is no resource provider " + text);
        }
        return uuid;
    }
}
