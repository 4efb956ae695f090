package io.berth.scheduler.scenario;

import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.job.AnalysisJobs;
import io.berth.scheduler.planning.DrainPlanner;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.record.RecordedSelection;
import io.berth.scheduler.response.ResponseFormat;
import io.berth.scheduler.scenariochange.ChangesBody;
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

/**
 * {@code POST /v1/what_if}: returns the results of analyses for the present cloud and for the cloud with changes, and
 * their differences. The changes are not made.
 */
@Path("/v1/what_if")
@Produces(MediaType.APPLICATION_JSON)
public class WhatIfEndpoint {
    private final AnalysisJobs jobs;
    private final ChangesBody changes;
    private final DrainPlanner drains;
    private final DecisionRecords records;

    WhatIfEndpoint(AnalysisJobs jobs, ChangesBody changes, DrainPlanner drains, DecisionRecords records) {
        this.jobs = jobs;
        this.changes = changes;
        this.drains = drains;
        this.records = records;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_PLAIN})
    public Uni<Response> ask(byte[] body, @Context RoutingContext http) {
        WhatIfBody parsed = WhatIfBody.read(JsonBody.ofRequest(body), changes);
        String requestId = RequestId.of(http);
        Uni<List<RecordedSelection>> recorded = parsed.replay() == null
                ? Uni.createFrom().item(List.of())
                // With a start time, reads one record more than the limit, to find out whether there are more.
                : records.selections(parsed.replay().since(),
                        parsed.replay().limit() + (parsed.replay().since() == null ? 0 : 1));
        ResponseFormat format = ResponseFormat.of(http);
        return recorded.chain(selections -> jobs.run(parsed.deadline(), requestId, snapshot -> {
            var whatIf = new WhatIf(parsed, drains, selections);
            String json = whatIf.answer(snapshot);
            return format.render(whatIf.outcome(), json, WhatIfText::of);
        }));
    }
}
