package io.berth.placement.allocation;

import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.http.Responses;
import io.berth.placement.query.UuidText;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.UUID;

/** Who holds something on a provider. */
@Path("/resource_providers/{uuid}/allocations")
public final class ProviderAllocationsEndpoint {
    private final AllocationStore store;

    ProviderAllocationsEndpoint(AllocationStore store) {
        this.store = store;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext http, @PathParam("uuid") String text) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:allocations:list");
        UUID provider = UuidText.parseCanonical(text);
        Uni<AllocationStore.OnProvider> found =
                provider == null ? Uni.createFrom().nullItem() : store.findOnProvider(provider);
        return found.map(given -> {
            if (given == null) {
                throw ApiException.notFound(
                        "Resource provider '" + text + "' not found: No resource provider with uuid " + text
                                + " found");
            }
            long updatedAtMs = given.amounts().stream().mapToLong(AllocationStore.Allocated::updatedAtMs).max()
                    .orElseGet(System::currentTimeMillis);
            return Responses.ok(call, AllocationJson.render(call, given), updatedAtMs);
        });
    }
}
