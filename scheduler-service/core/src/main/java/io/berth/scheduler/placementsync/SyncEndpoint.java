package io.berth.scheduler.placementsync;

import io.berth.scheduler.host.registry.edit.PlacementCopy;
import io.berth.scheduler.http.ApiFault;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Set;

/**
 * {@code GET /v1/placement_sync}: lists the pending hosts, which have changes in Berth's host registry that are not
 * written to placement yet; at most the 100 that have been pending for the longest time. {@code ?host=} restricts the
 * list to one host. If the list is then empty, placement has the host's disabled state and aggregates, and the
 * inventories and traits that its compute nodes reported.
 */
@Path("/v1/placement_sync")
@Produces(MediaType.APPLICATION_JSON)
public class SyncEndpoint {
    /** Maximum hosts in the list; the member {@code pending} of the response counts all pending hosts. */
    private static final int HOSTS_MAX = 100;

    private final SyncStore store;
    private final SyncRuns runs;

    SyncEndpoint(SyncStore store, SyncRuns runs) {
        this.store = store;
        this.runs = runs;
    }

    @GET
    public Uni<String> get(@QueryParam("host") String host) {
        if (host != null && host.indexOf('\0') >= 0) {
            throw ApiFault.invalid("host: must not contain a NUL character");
        }
        PlacementCopy.Scope scope = host == null ? null : new PlacementCopy.Scope(Set.of(host), Set.of());
        return store.state(scope, HOSTS_MAX).map(state -> state.render(runs.enabled()).toString());
    }
}
