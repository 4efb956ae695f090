package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.identity.Identification;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.json.Paging;
import io.berth.scheduler.move.FinishedMoves;
import io.berth.scheduler.move.MoveListStore;
import io.berth.scheduler.move.MoveListStore.ListedMove;
import io.berth.scheduler.move.MoveRequest;
import io.berth.scheduler.move.MoveState;
import io.berth.scheduler.move.Moves;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code POST /v1/moves}: selects and claims the target host for an instance that is resized, migrated, evacuated or
 * unshelved. {@code POST /v1/moves/{migration_uuid}/revert} restores the instance's earlier allocations,
 * {@code .../confirm} releases the allocations on the source. {@code GET /v1/moves} lists moves,
 * {@code GET /v1/moves/{migration_uuid}} returns one.
 */
@Path("/v1/moves")
@Produces(MediaType.APPLICATION_JSON)
public class MovesEndpoint {
    private final Moves moves;
    private final FinishedMoves finished;
    private final MoveListStore moveList;
    private final NamedInstances instances;
    private final Admission admission;

    MovesEndpoint(
            Moves moves, FinishedMoves finished, MoveListStore moveList, NamedInstances instances,
            Admission admission) {
        this.moves = moves;
        this.finished = finished;
        this.moveList = moveList;
        this.instances = instances;
        this.admission = admission;
    }

    /**
     * Moves an instance.
     *
     * @param dryRun {@code true} decides without changing allocations and without recording a move or a decision
     */
    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<String> move(
            @QueryParam("dry_run") String dryRun, byte[] body, @Context RoutingContext http) {
        boolean isDryRun = BooleanParameter.isTrue("dry_run", dryRun);
        MoveRequest moveRequest = MoveBody.read(JsonBody.ofRequest(body), userOf(http));
        String requestId = RequestId.of(http);
        DecisionTrace.Request traceRequest = DecisionTrace.Request.of(
                DecisionTrace.Kind.MOVE, body, requestId, List.of(moveRequest.instanceUuid()),
                moveRequest.request().spec());
        return admission.admit(() -> isDryRun
                ? moves.dryRun(moveRequest, DecisionTrace.unrecorded(traceRequest))
                : moves.move(moveRequest, DecisionTrace.of(traceRequest)));
    }

    /** Lists moves, the latest first. */
    @GET
    public Uni<String> list(@Context UriInfo uri) {
        MultivaluedMap<String, String> parameters = uri.getQueryParameters();
        Paging.check(parameters);
        UUID marker = Paging.marker(parameters);
        int limit = Paging.limit(parameters);
        String instance = parameters.getFirst("instance");
        Uni<UUID> instanceUuid = instance == null ? Uni.createFrom().nullItem() : instances.uuidOf(instance);
        // Reads one move more than the page has, to know whether there is a next page.
        return instanceUuid.chain(uuid -> moveList.list(uuid, marker, limit + 1)).map(found -> {
            List<ListedMove> page = found.subList(0, Math.min(limit, found.size()));
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            ArrayNode listed = json.putArray("moves");
            page.forEach(move -> listed.add(MoveJson.of(move)));
            if (found.size() > limit) {
                Paging.link(json, "moves", parameters, page.getLast().migrationUuid().toString());
            }
            return json.toString();
        });
    }

    @GET
    @Path("/{migration_uuid}")
    public Uni<String> get(@PathParam("migration_uuid") String migration) {
        return moveList.find(uuidOf(migration)).map(found -> {
            if (found.isEmpty()) {
                throw Moves.absent(migration);
            }
            return MoveJson.of(found.getFirst()).toString();
        });
    }

    @POST
    @Cancellable(false)
    @Path("/{migration_uuid}/revert")
    public Uni<String> revert(@PathParam("migration_uuid") String migration) {
        return finished.revert(uuidOf(migration)).map(move -> MoveJson.ofEnded(move, MoveState.REVERTED));
    }

    @POST
    @Cancellable(false)
    @Path("/{migration_uuid}/confirm")
    public Uni<String> confirm(@PathParam("migration_uuid") String migration, @Context RoutingContext http) {
        return finished.confirm(uuidOf(migration), RequestId.of(http))
                .map(move -> MoveJson.ofEnded(move, MoveState.CONFIRMED));
    }

    private static UUID uuidOf(String migration) {
        UUID uuid = Uuids.find(migration);
        if (uuid == null) {
            throw Moves.absent(migration);
        }
        return uuid;
    }

    private static @Nullable String userOf(RoutingContext http) {
        return Identification.of(http) instanceof Identification.Known known ? known.caller().userId() : null;
    }
}
