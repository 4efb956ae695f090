package io.berth.scheduler.placementsync;

import io.berth.scheduler.http.ApiFault;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

/**
 * {@code GET /v1/placement_sync}: lists the hosts with changes in Berth's host registry that are not written to
 * placement yet. {@code ?host=} restricts the list to one host. If that host is not pending, placement has its disabled
 * state, its aggregates, and the inventories and traits that its compute node reported.
 */
@Path("/v1/placement_sync")
@Produces(MediaType.APPLICATION_JSON)
public class SyncEndpoint {
    /** Maximum number of hosts in the response; the member {@code pending} counts all. */
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
        return store.state(host, null, HOSTS_MAX).map(state -> state.render(runs.enabled()).toString());
    }
}
