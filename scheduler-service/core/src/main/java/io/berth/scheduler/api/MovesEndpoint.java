package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.move.Move;
import io.berth.scheduler.move.MoveRequest;
import io.berth.scheduler.move.MoveState;
import io.berth.scheduler.move.Moves;
import io.berth.scheduler.move.Reverts;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.trail.Trail;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code POST /v1/moves}: finds and claims another host for an instance that is resized, migrated, evacuated or
 * unshelved. {@code POST /v1/moves/{migration_uuid}/revert}: restores the instance's earlier allocations.
 */
@Path("/v1/moves")
@Produces(MediaType.APPLICATION_JSON)
public class MovesEndpoint {
    private final Moves moves;
    private final Reverts reverts;
    private final Admission admission;

    MovesEndpoint(Moves moves, Reverts reverts, Admission admission) {
        this.moves = moves;
        this.reverts = reverts;
        this.admission = admission;
    }

    /** @param dryRun {@code true} only decides: no allocation changes, and nothing is recorded */
    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<String> move(
            @QueryParam("dry_run") String dryRun, byte[] body, @Context RoutingContext http) {
        boolean decides = BooleanParameter.isTrue("dry_run", dryRun);
        MoveRequest call = MoveBody.read(JsonBody.ofRequest(body));
        String requestId = RequestId.of(http);
        Trail.Request noted = new Trail.Request(
                Trail.Kind.MOVE, body, requestId, List.of(call.instanceUuid()), call.request().spec().projectId(),
                call.request().spec().flavor().name());
        return admission.admit(() -> decides
                ? moves.decide(call, Trail.unrecorded(noted))
                : moves.move(call, Trail.of(noted)));
    }

    @POST
    @Cancellable(false)
    @Path("/{migration_uuid}/revert")
    public Uni<String> revert(@PathParam("migration_uuid") String migration) {
        UUID uuid = Uuids.find(migration);
        if (uuid == null) {
            throw ApiFault.notFound("there is no move of migration " + migration);
        }
        return reverts.revert(uuid).map(MovesEndpoint::reverted);
    }

    private static String reverted(Move move) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("migration_uuid", move.migrationUuid().toString());
        json.put("instance_uuid", move.instanceUuid().toString());
        json.put("kind", move.kind().wireName());
        json.put("state", MoveState.REVERTED.stored());
        return json.toString();
    }
}
