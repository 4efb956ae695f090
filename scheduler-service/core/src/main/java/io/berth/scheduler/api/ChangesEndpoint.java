package io.berth.scheduler.api;

import io.berth.database.change.ChangeSearch;
import io.berth.database.change.OperatorChanges;
import io.berth.scheduler.http.ApiFault;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

/**
 * {@code GET /v1/changes}: lists operators' changes of services, host aggregates, server groups, cells, drains and
 * inventories, each with the operator and the former value.
 */
@Path("/v1/changes")
@Produces(MediaType.APPLICATION_JSON)
public class ChangesEndpoint {
    private final OperatorChanges changes;

    ChangesEndpoint(OperatorChanges changes) {
        this.changes = changes;
    }

    /** Lists changes, the latest first. Throws ApiFault (400) for an invalid parameter. */
    @GET
    public Uni<String> list(@Context UriInfo uri) {
        return changes.list(search(uri));
    }

    private static ChangeSearch search(UriInfo uri) {
        try {
            return ChangeSearch.of(uri.getQueryParameters());
        } catch (IllegalArgumentException invalid) {
            throw ApiFault.invalid(String.valueOf(invalid.getMessage()));
        }
    }
}
