package io.berth.placement.allocation;

import io.berth.context.CallerContext;
import io.berth.placement.allocation.AllocationStore.OnProvider;
import io.berth.placement.http.AnswerWorkers;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.http.LongBody;
import io.berth.placement.http.LongLists;
import io.berth.placement.http.Responses;
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
import java.util.concurrent.Executor;

/** Who holds something on a provider. */
@Path("/resource_providers/{uuid}/allocations")
public final class ProviderAllocationsEndpoint {
    private final AllocationStore store;
    private final AnswerWorkers workers;
    private final LongLists lists;

    ProviderAllocationsEndpoint(AllocationStore store, AnswerWorkers workers, LongLists lists) {
        this.store = store;
        this.workers = workers;
        this.lists = lists;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext http, @PathParam("uuid") String text) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:allocations:list");
        UUID provider = UuidText.parseCanonical(text);
        Executor caller = CallerContext.executor();
        Uni<OnProvider> found = provider == null
                ? Uni.createFrom().nullItem()
                : store.findOnProvider(provider, LongLists.AT_ONCE_MAX + 1);
        return found.chain(given -> given == null || given.amounts().size() <= LongLists.AT_ONCE_MAX
                ? Uni.createFrom().item(() -> answer(call, text, given, http))
                : lists.inTurn(() -> read(provider, http))
                        .chain(all -> workers.run(() -> answer(call, text, all, http)))
                        .emitOn(caller));
    }

    /** Null as well where nobody waits for it any more. */
    private Uni<OnProvider> read(UUID provider, RoutingContext http) {
        return LongLists.isOver(http)
                ? Uni.createFrom().nullItem()
                : store.readOnProvider(provider, bytes -> lists.hold(http, bytes), () -> LongLists.isOver(http));
    }

    private static Response answer(Call call, String text, @Nullable OnProvider given, RoutingContext http) {
        if (given == null) {
            throw ApiException.notFound("Resource provider '" + text + "' not found: No resource provider with uuid "
                    + text + " found");
        }
        int generation = given.generation();
        AllocatedColumns amounts = given.amounts();
        if (amounts.size() <= LongLists.AT_ONCE_MAX) {
            return Responses.ok(call, AllocationJson.render(call, generation, amounts), amounts.updatedAtMs());
        }
        var body = new LongBody(http, 0, () -> AllocationJson.parts(call, generation, amounts));
        return Responses.ok(call, body, amounts.updatedAtMs());
    }
}
