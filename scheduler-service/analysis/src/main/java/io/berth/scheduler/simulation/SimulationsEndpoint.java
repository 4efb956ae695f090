package io.berth.scheduler.simulation;

import io.berth.json.JsonLists;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.EvaluationError;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.decision.Warnings;
import io.berth.scheduler.decision.explanation.DecisionJson;
import io.berth.scheduler.extension.DiscoveredClasses;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.job.AnalysisJobs;
import io.berth.scheduler.job.AsOf;
import io.berth.scheduler.job.Deadline;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.RemainingCapacity;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.text.DerivedValue;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * {@code POST /v1/simulations}: returns a decision without side effects, with every verdict that led to the decision.
 * The hosts are those of the body or those of the cloud.
 */
@Path("/v1/simulations")
public final class SimulationsEndpoint {
    private final DiscoveredClasses discovered;
    private final Options configured;
    private final Simulation.Bounds bounds;
    private final AnalysisJobs jobs;

    /**
     * @param hostsMax maximum number of hosts of one simulation; a simulation with more gets 413
     * @param hostRoundsMax maximum number of hosts, times the number of instances, of one simulation; a larger one gets
     * 413. The evaluation of one host for one instance takes up to 4 KB of the response
     */
    SimulationsEndpoint(
            DiscoveredClasses discovered,
            ConfiguredOptions configured,
            AnalysisJobs jobs,
            @ConfigProperty(name = "berth.simulation.hosts-max", defaultValue = "5000") int hostsMax,
            @ConfigProperty(name = "berth.simulation.host-rounds-max",
                    defaultValue = "5000") int hostRoundsMax) {
        this.discovered = discovered;
        this.jobs = jobs;
        this.configured = configured.options();
        this.bounds = new Simulation.Bounds(hostsMax, hostRoundsMax);
    }

    /**
     * Reads the body and decides on the analysis worker, because thousands of hosts and their response take much time
     * and memory. Parses a body without hosts a second time once the snapshot is available, so that no parsed body is
     * in memory while the call waits.
     */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public Uni<byte[]> simulate(byte[] body, @Context RoutingContext http) {
        String requestId = RequestId.of(http);
        record FirstPass(Deadline deadline, @Nullable byte[] response) {}
        return jobs.run(() -> {
            Simulation simulation = read(body);
            return new FirstPass(simulation.deadline(), simulation.hosts() == null
                    ? null
                    : render(null, null, warnings(simulation), decide(simulation, simulation.hosts())));
        }).chain(first -> first.response() != null
                ? Uni.createFrom().item(first.response())
                : jobs.run(first.deadline(), requestId, snapshot -> {
                    Simulation simulation = read(body);
                    return decide(simulation, withOptions(simulation.options(), snapshot));
                }));
    }

    private Simulation read(byte[] body) {
        return Simulation.read(JsonBody.ofLargeRequest(body), configured, bounds, UUID::randomUUID);
    }

    private Snapshot withOptions(Options options, Snapshot snapshot) {
        return options == configured
                ? snapshot
                : snapshot.with(options, discovered.enabledFilters(options), discovered.enabledWeighers(options));
    }

    /**
     * Decides on the hosts that placement has candidates for, and returns the response. Throws ApiFault: 413 if these
     * hosts exceed the bounds, 503 if the time is up, and as {@link Snapshot#plan} does.
     */
    private byte[] decide(Simulation simulation, Snapshot snapshot) {
        return switch (snapshot.plan(simulation.request().spec(), simulation.request().toDerive())) {
            case HostSearch.Refused(_, String detail, _) ->
                render(snapshot.asOf(), detail, warnings(simulation), Decision.noValidHost(List.of()));
            case HostSearch.Queries planned -> {
                Decision decision = snapshot.decide(
                        List.of(), planned, snapshot.candidates(List.of(), planned),
                        candidates -> decide(simulation, snapshot, planned, candidates), Decision::isNoValidHost);
                if (decision == null) {
                    throw new ApiFault(
                            ErrorCode.PLACEMENT_UNAVAILABLE,
                            "the time was up before placement's candidates were found; increase timeout_s");
                }
                yield render(snapshot.asOf(), null, warnings(simulation), decision);
            }
        };
    }

    private Decision decide(
            Simulation simulation, Snapshot snapshot, HostSearch.Queries planned, AllocationCandidates candidates) {
        List<HostState> hosts = snapshot.hosts(candidates, planned);
        bounds.check(hosts.size(), planned.spec().instanceCount());
        return Decision.decide(
                planned.spec(), hosts, simulation.returnAlternates(), snapshot.inputs(SchedulingInputs.Detail.HOSTS),
                new RemainingCapacity(candidates)::tryTake);
    }

    /**
     * Decides on the hosts of the body. Placement is not queried, so the decision contains no obstacles of placement.
     */
    private Decision decide(Simulation simulation, List<HostState> hosts) {
        DerivedValue<RequestSpec> derived = Constraints.derive(
                simulation.request().spec(),
                simulation.request().toDerive(),
                simulation.options(),
                () -> UUID.randomUUID().toString());
        return switch (derived) {
            case DerivedValue.Value<RequestSpec>(RequestSpec spec) ->
                Decision.decide(spec, hosts, simulation.returnAlternates(), inputs(simulation.options()));
            case DerivedValue.Refused<RequestSpec>(String detail) ->
                Decision.failed(List.of(), EvaluationError.ofConstraints(detail));
        };
    }

    private List<String> warnings(Simulation simulation) {
        return Warnings.of(
                simulation.request().spec(), discovered.enabledFilters(simulation.options()), simulation.options());
    }

    private SchedulingInputs inputs(Options options) {
        return new SchedulingInputs(
                options, discovered.enabledFilters(options), discovered.enabledWeighers(options),
                new SplittableRandom(), SchedulingInputs.Detail.HOSTS);
    }

    /**
     * Renders the response.
     *
     * @param asOf the state of the cloud on which the decision is based; null if the body contains the hosts
     * @param refusal why no host was evaluated; null if hosts were evaluated
     */
    private static byte[] render(
            @Nullable AsOf asOf, @Nullable String refusal, List<String> warnings, Decision decision) {
        return WrittenJson.objectBytes(json -> {
            if (asOf != null) {
                asOf.render(json);
            }
            WrittenJson.writeIfAny(json, "detail", refusal);
            JsonLists.writeTextsIfAny(json, "warnings", warnings);
            new DecisionJson(json).write(decision);
        });
    }
}
