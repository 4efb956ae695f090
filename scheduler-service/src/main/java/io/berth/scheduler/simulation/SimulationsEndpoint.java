package io.berth.scheduler.simulation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.EvaluationError;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.decision.explanation.DecisionJson;
import io.berth.scheduler.extension.DiscoveredClasses;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.Derived;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** {@code POST /v1/simulations}: a decision without side effects, with every verdict that led to it. */
@Path("/v1/simulations")
public final class SimulationsEndpoint {
    private static final JsonFactory JSON = new JsonFactory();

    private final DiscoveredClasses discovered;
    private final Options configured;
    private final Simulation.Bounds bounds;

    /**
     * @param hostsMax hosts of one simulation
     * @param hostRoundsMax hosts times instances of one simulation
     */
    SimulationsEndpoint(
            DiscoveredClasses discovered,
            ConfiguredOptions configured,
            @ConfigProperty(name = "berth.simulation.hosts-max", defaultValue = "5000") int hostsMax,
            @ConfigProperty(name = "berth.simulation.host-rounds-max", defaultValue = "250000")
                    int hostRoundsMax) {
        this.discovered = discovered;
        this.configured = configured.options();
        this.bounds = new Simulation.Bounds(hostsMax, hostRoundsMax);
    }

    /** Runs on a worker thread: thousands of hosts take longer than an event loop may be held. */
    @POST
    @Blocking
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public byte[] simulate(byte[] body) {
        Simulation simulation = Simulation.read(JsonBody.parse(body), configured, bounds, UUID::randomUUID);
        return render(decide(simulation, inputs(simulation.options())));
    }

    private Decision decide(Simulation simulation, SchedulingInputs inputs) {
        Derived<RequestSpec> derived = Constraints.derive(
                simulation.request().spec(),
                simulation.request().open(),
                simulation.options(),
                () -> UUID.randomUUID().toString());
        return switch (derived) {
            case Derived.Value<RequestSpec>(RequestSpec spec) ->
                Decision.decide(spec, simulation.hosts(), simulation.returnAlternates(), inputs);
            case Derived.Refused<RequestSpec>(String detail) ->
                Decision.failed(List.of(), EvaluationError.ofConstraints(detail));
        };
    }

    private SchedulingInputs inputs(Options options) {
        Options.FilterScheduler stated = options.filterScheduler();
        EnabledFilters enabledFilters = switch (EnabledFilters.choose(
                discovered.filters(), stated.availableFilters(), stated.enabledFilters())) {
            case EnabledFilters.Choice.Chosen(EnabledFilters chosen) -> chosen;
            case EnabledFilters.Choice.Unknown(String detail) ->
                throw ApiFault.invalid("$.options.enabled_filters: " + detail);
        };
        EnabledWeighers enabledWeighers =
                switch (EnabledWeighers.choose(discovered.weighers(), stated.weightClasses())) {
                    case EnabledWeighers.Choice.Chosen(EnabledWeighers chosen) -> chosen;
                    case EnabledWeighers.Choice.Unknown(String detail) ->
                        throw ApiFault.invalid("$.options.weight_classes: " + detail);
                };
        return new SchedulingInputs(
                options, enabledFilters, enabledWeighers, new SplittableRandom(), SchedulingInputs.Detail.HOSTS);
    }

    private static byte[] render(Decision decision) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            new DecisionJson(json).write(decision);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }
}
