package io.berth.placement.allocation;

import io.berth.placement.allocation.AllocationStore.OnProvider;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.query.UuidText;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.UUID;

/** The route {@code GET /resource_providers/{uuid}/allocations}: shows the allocations on a provider, or 404. */
@Path("/resource_providers/{uuid}/allocations")
public final class ProviderAllocationsEndpoint {
    private final AllocationStore store;
    private final AllocationLists lists;

    ProviderAllocationsEndpoint(AllocationStore store, AllocationLists lists) {
        this.store = store;
        this.lists = lists;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext http, @PathParam("uuid") String uuid) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:allocations:list");
        UUID provider = UuidText.parseCanonical(uuid);
        if (provider == null) {
            throw notFound(uuid);
        }
        Uni<OnProvider> few = store.findOnProvider(provider, AllocationLists.FIRST_ROWS_MAX);
        return lists.answer(
                http, few, (reserveBytes, isOver) -> store.readOnProvider(provider, reserveBytes, isOver),
                allocations -> answer(call, http, uuid, allocations));
    }

    private static Response answer(Call call, RoutingContext http, String uuid, @Nullable OnProvider allocations) {
        if (allocations == null) {
            throw notFound(uuid);
        }
        return AllocationLists.render(
                call, http, allocations.amounts(),
                amounts -> AllocationJson.render(call, allocations.generation(), amounts));
    }

    private static ApiException notFound(String uuid) {
        return ApiException.notFound(
                "Resource provider '" + uuid + "' not found: No resource provider with uuid " + uuid + " found");
    }
}
