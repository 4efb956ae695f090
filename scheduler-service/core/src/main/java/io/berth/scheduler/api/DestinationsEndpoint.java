package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.selection.Destinations;
import io.berth.scheduler.selection.SelectionRequest;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code POST /v1/select_destinations}: selects a host for each instance of a request and claims the hosts. Either all
 * instances get a host, or none does. A repeated request (see {@link IdempotencyKey}) gets the response of the first.
 */
@Path("/v1/select_destinations")
@Produces(MediaType.APPLICATION_JSON)
public class DestinationsEndpoint {
    private static final String IDEMPOTENCY_HEADER = "Idempotency-Key";

    private final Destinations destinations;
    private final ResponseRenderer renderer;
    private final Admission admission;

    DestinationsEndpoint(Destinations destinations, ResponseRenderer renderer, Admission admission) {
        this.destinations = destinations;
        this.renderer = renderer;
        this.admission = admission;
    }

    /**
     * Selects hosts. The response header {@code Server-Timing} has the duration of each phase.
     *
     * @param explain {@code true} adds an explanation, which lists every host of every stage. For more than two
     *     instances, or 2,000 hosts summed over the instances, the explanation has the counts and the first hosts of
     *     each stage instead
     * @param dryRun {@code true} decides without claims and without a decision record
     */
    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<String> select(
            @QueryParam("explain") String explain, @QueryParam("dry_run") String dryRun, byte[] body,
            @Context RoutingContext http) {
        boolean isExplained = BooleanParameter.isTrue("explain", explain);
        boolean isDryRun = BooleanParameter.isTrue("dry_run", dryRun);
        JsonNode json = JsonBody.ofRequest(body);
        SelectBody selectBody = SelectBody.read(json);
        SchedulingInputs.Detail detail = isExplained && ResponseRenderer.listsEveryHost(selectBody.request().spec())
                ? SchedulingInputs.Detail.HOSTS
                : SchedulingInputs.Detail.COUNTS;
        String requestId = RequestId.of(http);
        IdempotencyKey idempotencyKey =
                selectBody.idempotencyKey(json, http.request().getHeader(IDEMPOTENCY_HEADER), requestId);
        SelectionRequest request = isDryRun ? selectBody.request().withoutClaims() : selectBody.request();
        DecisionTrace.Request traceRequest = DecisionTrace.Request.of(
                DecisionTrace.Kind.SELECT, body, requestId, idempotencyKey.instances(), request.spec());
        DecisionTrace trace = isDryRun ? DecisionTrace.unrecorded(traceRequest) : DecisionTrace.of(traceRequest);
        return admission
                .admit(() -> destinations.select(request, idempotencyKey, detail, trace))
                .invoke(() -> http.response().putHeader("Server-Timing", trace.phases().serverTiming()))
                .map(outcome -> renderer.answer(outcome, selectBody.request().spec(), isExplained, trace));
    }
}
