package io.berth.scheduler.capacity;

import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.job.AnalysisJobs;
import io.berth.scheduler.job.Deadline;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.response.AnalysisOutcome;
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
import java.util.List;

/** {@code POST /v1/capacity}: how many more instances of each request fit, and what prevents a further instance. */
@Path("/v1/capacity")
@Produces(MediaType.APPLICATION_JSON)
public class CapacityEndpoint {
    private final AnalysisJobs jobs;

    CapacityEndpoint(AnalysisJobs jobs) {
        this.jobs = jobs;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_PLAIN})
    public Uni<Response> count(byte[] body, @Context RoutingContext http) {
        var object = new StrictObject(JsonBody.ofRequest(body), "$");
        CapacityBody parsed = CapacityBody.read(object, "$");
        Deadline deadline = Deadline.of(object);
        object.refuseUnreadMembers();
        ResponseFormat format = ResponseFormat.of(http);
        return jobs.run(deadline, RequestId.of(http), snapshot -> answer(snapshot, parsed, format));
    }

    /**
     * Counts and responds. The outcome is yes if at least one instance of each request fits, and incomplete if a count
     * is incomplete.
     */
    private static Response answer(Snapshot snapshot, CapacityBody body, ResponseFormat format) {
        List<Tally> tallies = tallies(new CapacityCounting(snapshot, new Split(body.by(), snapshot)), body);
        AnalysisOutcome outcome = AnalysisOutcome.of(
                tallies.stream().allMatch(Tally::isComplete), tallies.stream().allMatch(tally -> tally.count() > 0));
        return format.render(outcome, new CapacityJson(body).render(snapshot.asOf(), tallies), CapacityText::of);
    }

    /** Counts, and returns the tallies in the order of the requests. */
    static List<Tally> tallies(CapacityCounting counting, CapacityBody body) {
        return body.joint() ? counting.countJointly(body.requests()) : counting.countEach(body.requests());
    }
}
