package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.request.RequestNames;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.selection.RescheduleRequest;
import io.berth.scheduler.selection.Reschedules;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code POST /v1/reschedule}: after a failed build, tries to claim the alternates in order, until one claim succeeds.
 * The claim replaces the allocations on the failed host in one step. If no claim succeeds, these allocations are
 * released.
 */
@Path("/v1/reschedule")
@Produces(MediaType.APPLICATION_JSON)
public class RescheduleEndpoint {
    private final Reschedules reschedules;
    private final Admission admission;

    RescheduleEndpoint(Reschedules reschedules, Admission admission) {
        this.reschedules = reschedules;
        this.admission = admission;
    }

    /** Returns {@code {"selection": {...}}}: the claimed alternate, as the request contains it. */
    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<String> reschedule(byte[] body, @Context RoutingContext http) {
        JsonNode json = JsonBody.ofRequest(body);
        RescheduleRequest rescheduleRequest = RescheduleBody.read(json);
        IdempotencyKey idempotencyKey = IdempotencyKey.toReschedule(
                json, rescheduleRequest.instanceUuid(), RequestId.of(http));
        DecisionTrace trace = DecisionTrace.of(new DecisionTrace.Request(
                DecisionTrace.Kind.RESCHEDULE, body, idempotencyKey.requestId(), idempotencyKey.instances(),
                rescheduleRequest.projectId(), null, RequestNames.NONE));
        return admission.admit(() -> reschedules.reschedule(rescheduleRequest, idempotencyKey, trace));
    }
}
