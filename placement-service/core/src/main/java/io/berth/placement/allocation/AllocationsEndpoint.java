package io.berth.placement.allocation;

import io.berth.placement.allocation.AllocationStore.OfConsumer;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.ledger.Ledger;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.query.UuidText;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * The routes {@code /allocations} and {@code /allocations/{consumer_uuid}}: set, show and delete the allocations of
 * consumers. POST sets the allocations of several consumers in one claim, from microversion 1.13. POST, PUT and DELETE
 * accept a fencing token ({@link FenceHeader}).
 */
@Path("/allocations")
public final class AllocationsEndpoint {
    private final Ledger ledger;
    private final AllocationStore store;
    private final AllocationLists lists;
    private final AllocationBody bodies;
    private final BodyWorker bodyWorker;

    AllocationsEndpoint(
            Ledger ledger, AllocationStore store, AllocationLists lists, AllocationBody bodies, BodyWorker bodyWorker) {
        this.bodyWorker = bodyWorker;
        this.ledger = ledger;
        this.store = store;
        this.lists = lists;
        this.bodies = bodies;
    }

    @POST
    @Cancellable(false)
    public Uni<Response> setMany(@Context RoutingContext http, byte[] body) {
        Call call = Call.of(http).require(13).requireJson().allow("placement:allocations:manage");
        long fence = FenceHeader.parse(http);
        return bodyWorker
                .run(body, () -> ledger.submit(
                        ClaimSize.requireAllowedSize(new Claim.Replace(bodies.parseMany(call, body), fence))))
                .map(result -> ClaimResponse.MANY_CONSUMERS.toResponse(result, null));
    }

    @PUT
    @Cancellable(false)
    @Path("/{consumer_uuid}")
    public Uni<Response> setOne(@Context RoutingContext http, @PathParam("consumer_uuid") String text, byte[] body) {
        Call call = Call.of(http).requireJson().allow("placement:allocations:update");
        UUID consumer = UuidText.parseLenient(text);
        if (consumer == null) {
            throw ApiException.badRequest("Malformed consumer_uuid: " + text);
        }
        long fence = FenceHeader.parse(http);
        return bodyWorker
                .run(body, () -> ledger.submit(
                        ClaimSize.requireAllowedSize(
                                new Claim.Replace(List.of(bodies.parseOne(call, consumer, body)), fence))))
                .map(result -> ClaimResponse.ONE_CONSUMER.toResponse(result, consumer));
    }

    /**
     * Shows the allocations of a consumer; an empty set for an invalid uuid, or a consumer that does not exist or holds
     * nothing, as upstream does.
     */
    @GET
    @Path("/{consumer_uuid}")
    public Uni<Response> show(@Context RoutingContext http, @PathParam("consumer_uuid") String text) {
        Call call = Call.of(http).requireAccept().allow("placement:allocations:list");
        UUID consumer = UuidText.parseLenient(text);
        if (consumer == null) {
            return Uni.createFrom().item(() -> answer(call, http, null));
        }
        Uni<OfConsumer> few = store.findOfConsumer(consumer, AllocationLists.FIRST_ROWS_MAX);
        return lists.answer(
                http, few, (reserveBytes, isOver) -> store.readOfConsumer(consumer, reserveBytes, isOver),
                allocations -> answer(call, http, allocations));
    }

    private static Response answer(Call call, RoutingContext http, @Nullable OfConsumer allocations) {
        // The consumer may have released all its allocations while the request waited for its turn.
        OfConsumer nonEmpty = allocations == null || allocations.amounts().isEmpty() ? null : allocations;
        return AllocationLists.render(
                call, http, nonEmpty == null ? new AllocatedColumns(0) : nonEmpty.amounts(),
                amounts -> AllocationJson.render(call, nonEmpty, amounts));
    }

    @DELETE
    @Cancellable(false)
    @Path("/{consumer_uuid}")
    public Uni<Response> delete(@Context RoutingContext http, @PathParam("consumer_uuid") String text) {
        Call.of(http).allow("placement:allocations:delete");
        UUID consumer = UuidText.parseLenient(text);
        if (consumer == null) {
            throw ApiException.notFound("No allocations for consumer '" + text + "'");
        }
        return ledger.submit(new Claim.Release(consumer, FenceHeader.parse(http)))
                .map(result -> ClaimResponse.ONE_CONSUMER.toResponse(result, consumer));
    }
}
