package io.berth.scheduler.planning;

import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.job.AnalysisJobs;
import io.berth.scheduler.response.ResponseFormat;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * {@code POST /v1/proposals}: proposes moves for one of three goals: to make room for instances, to empty hosts, or to
 * balance the use of a resource class. Does not make the moves.
 */
@Path("/v1/proposals")
@Produces(MediaType.APPLICATION_JSON)
public class ProposalsEndpoint {
    private final AnalysisJobs jobs;
    private final Proposals proposals;

    ProposalsEndpoint(AnalysisJobs jobs, Proposals proposals) {
        this.jobs = jobs;
        this.proposals = proposals;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_PLAIN})
    public Uni<Response> propose(byte[] body, @Context RoutingContext http) {
        ProposalsBody parsed = ProposalsBody.read(JsonBody.ofRequest(body));
        ResponseFormat format = ResponseFormat.of(http);
        return jobs.run(parsed.deadline(), RequestId.of(http), snapshot -> proposals.answer(snapshot, parsed, format));
    }
}
