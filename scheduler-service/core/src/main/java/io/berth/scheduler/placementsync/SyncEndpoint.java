package io.berth.scheduler.placementsync;

import io.berth.scheduler.http.ApiFault;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

/**
 * {@code GET /v1/placement_sync}: lists the hosts whose registered changes placement does not have yet. {@code ?host=}
 * selects
 * one host; if nothing is pending, placement has the host's service state, aggregates and reports as registered.
 */
@Path("/v1/placement_sync")
@Produces(MediaType.APPLICATION_JSON)
public class SyncEndpoint {
    /** Maximum hosts in the response; the member {@code pending} counts all. */
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
            throw ApiFault.invalid("host: text must not hold NUL");
        }
        return store.state(host, null, HOSTS_MAX).map(state -> state.render(runs.enabled()).toString());
    }
}
