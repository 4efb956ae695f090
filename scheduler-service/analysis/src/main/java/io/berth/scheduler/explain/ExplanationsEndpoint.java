package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.OptionsBody;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.extension.DiscoveredClasses;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.job.AnalysisJobs;
import io.berth.scheduler.job.Deadline;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.planning.MovesAway;
import io.berth.scheduler.response.ResponseFormat;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.UUID;

/** {@code POST /v1/explanations}: explains why hosts cannot take an instance, and which changes would admit it. */
@Path("/v1/explanations")
@Produces(MediaType.APPLICATION_JSON)
public class ExplanationsEndpoint {
    /** The maximum number of hosts that a request may name; more get the response 400. */
    private static final int HOSTS_MAX = 100;

    private final AnalysisJobs jobs;
    private final MovesAway moves;
    private final DiscoveredClasses discovered;
    private final Options configured;

    ExplanationsEndpoint(
            AnalysisJobs jobs, MovesAway moves, DiscoveredClasses discovered, ConfiguredOptions configured) {
        this.jobs = jobs;
        this.moves = moves;
        this.discovered = discovered;
        this.configured = configured.options();
    }

    /**
     * Explains a request on the hosts that the body names; without names, on the up to five hosts with the fewest
     * obstacles.
     *
     * @param detail {@code tenant}: the response contains only numbers of hosts, counted over all registered hosts, and
     * the body must name no hosts. Null: the response contains hosts and changes
     */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_PLAIN})
    public Uni<Response> explain(
            @QueryParam("detail") @Nullable String detail, byte[] body, @Context RoutingContext http) {
        if (detail != null && !detail.equals("tenant")) {
            throw ApiFault.invalid("detail: must be tenant");
        }
        StrictObject object = new StrictObject(JsonBody.ofRequest(body), "$");
        JsonNode request = object.requiredObject("request_spec", spec -> {
            RequestSpecBody.read(spec, UUID::randomUUID);
            return spec.node();
        });
        List<String> hosts = object.texts("hosts");
        if (hosts.size() > HOSTS_MAX) {
            throw ApiFault.invalid("$.hosts: must have at most " + HOSTS_MAX + " hosts");
        }
        if (detail != null && !hosts.isEmpty()) {
            throw ApiFault.invalid("$.hosts: must be left out with detail=tenant");
        }
        @Nullable JsonNode optionsJson = object.anyValue("options");
        Options options = OptionsBody.read(optionsJson, configured, configured);
        Deadline deadline = Deadline.of(object);
        object.refuseUnreadMembers();
        ResponseFormat format = ResponseFormat.of(http);
        return jobs.run(deadline, RequestId.of(http), snapshot -> {
            Snapshot withOptions = options == configured
                    ? snapshot
                    : snapshot.with(
                            options, discovered.enabledFilters(options), discovered.enabledWeighers(options));
            Explanation explanation = new Explanation(withOptions, request, moves);
            String json = detail == null ? explanation.ofHosts(hosts) : explanation.forTenants();
            return format.render(explanation.outcome(), json, ExplanationText::of);
        });
    }
}
