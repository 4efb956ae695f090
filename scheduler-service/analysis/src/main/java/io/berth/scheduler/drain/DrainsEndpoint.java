package io.berth.scheduler.drain;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.identity.Identification;
import io.berth.json.JsonLists;
import io.berth.json.Timestamps;
import io.berth.scheduler.api.BooleanParameter;
import io.berth.scheduler.drain.DrainStore.ServiceChange;
import io.berth.scheduler.host.registry.HostKeeper;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.edit.RegistryChangeLog;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.job.AnalysisJobs;
import io.berth.scheduler.job.Deadline;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.DisplayName;
import io.berth.scheduler.json.Paging;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.selection.Destinations;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code /v1/drains}: hosts that are being emptied. {@code PUT} begins a drain and disables the services of its hosts,
 * {@code GET} shows the progress, {@code GET .../next} returns the next moves, {@code DELETE} ends the drain. An
 * orchestrator makes the moves with {@code POST /v1/moves}, or in nova. If nova owns the services, Berth does not
 * change them; the responses then have the commands for nova that disable or enable them.
 */
@Path("/v1/drains")
@Produces(MediaType.APPLICATION_JSON)
public class DrainsEndpoint {
    /** The time limit of the analysis in one call. */
    private static final Duration ANALYSIS_MAX = Duration.ofSeconds(30);

    private final DrainStore store;
    private final DrainAnalysis analysis;
    private final AnalysisJobs jobs;
    private final Destinations destinations;
    private final HostKeeper hostKeeper;
    private final RegistryChangeLog changes;

    DrainsEndpoint(
            DrainStore store, DrainAnalysis analysis, AnalysisJobs jobs, Destinations destinations,
            HostKeeper hostKeeper, RegistryChangeLog changes) {
        this.store = store;
        this.analysis = analysis;
        this.jobs = jobs;
        this.destinations = destinations;
        this.hostKeeper = hostKeeper;
        this.changes = changes;
    }

    @PUT
    @Path("/{name}")
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> begin(@PathParam("name") String name, byte[] json, @Context RoutingContext http) {
        DisplayName.checkDrainName(name);
        DrainBody body = DrainBody.read(name, JsonBody.ofRequest(json));
        destinations.requireMoves();
        return store.find(name).chain(found -> found == null
                ? begin(name, body, http)
                : Uni.createFrom().item(repetition(found, body)));
    }

    private Uni<Response> begin(String name, DrainBody body, RoutingContext http) {
        String user = Identification.of(http) instanceof Identification.Known known ? known.caller().userId() : null;
        return analyze(http, snapshot -> DrainStart.find(snapshot, body.selector()))
                .chain(found -> store.begin(name, body, found, user, RequestId.of(http), !hostKeeper.isForeign()))
                .invoke(services -> {
                    if (services != null) {
                        log(http, services);
                        changes.recordChange(http, "drain " + name, null, body.json().toString());
                    }
                })
                .chain(services -> store.find(name).map(stored -> {
                    if (stored == null) {
                        throw ApiFault.conflictInFlight(
                                "the drain was stopped during this request; send the request again");
                    }
                    return services == null ? repetition(stored, body) : respond(201, stored);
                }));
    }

    /** Returns the response to a PUT of an existing drain: 200 for the same body, otherwise throws ApiFault (409). */
    private Response repetition(StoredDrain found, DrainBody body) {
        if (!found.body().json().equals(body.json())) {
            throw new ApiFault(
                    ErrorCode.CONFLICT,
                    "a drain %s exists with another body: DELETE it first, or take another name"
                            .formatted(found.name()));
        }
        return respond(200, found);
    }

    private Response respond(int status, StoredDrain drain) {
        return Response.status(status).entity(WrittenJson.objectBytes(json -> write(json, drain))).build();
    }

    private void write(JsonGenerator json, StoredDrain drain) throws IOException {
        drain.render(json);
        JsonLists.writeObjects(json, "hosts", drain.hosts(), host -> {
            json.writeStringField("host", host.host());
            json.writeStringField("service", host.serviceAction().wireName());
            json.writeNumberField("instances", host.instances().size());
        });
        if (hostKeeper.isForeign()) {
            JsonLists.writeTexts(json, "commands", drain.hostNames().stream()
                    .map(host -> NovaCommands.disable(host, drain.body().reason()))
                    .toList());
        }
    }

    @GET
    public Uni<String> list(@Context UriInfo uri) {
        MultivaluedMap<String, String> parameters = uri.getQueryParameters();
        Paging.check(parameters);
        int limit = Paging.limit(parameters);
        return store.list(parameters.getFirst("marker"), limit + 1).map(found -> {
            List<DrainStore.Listed> page = found.subList(0, Math.min(limit, found.size()));
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            ArrayNode listed = json.putArray("drains");
            page.forEach(drain -> listed.add(json(drain)));
            if (found.size() > limit) {
                Paging.link(json, "drains", parameters, page.getLast().name());
            }
            return json.toString();
        });
    }

    private ObjectNode json(DrainStore.Listed drain) {
        ObjectNode json = JsonNodeFactory.instance.objectNode()
                .put("name", drain.name())
                .put("reason", drain.reason())
                .put("parallel", drain.parallel())
                .put("per_host", drain.perHost())
                .put("user_id", drain.userId())
                .put("request_id", drain.requestId())
                .put("begun_at", Timestamps.text(drain.begunAt()))
                .put("hosts", drain.hosts());
        ObjectNode instances = json.putObject("instances").put("start", drain.instances());
        if (!hostKeeper.isForeign()) {
            instances.put("remaining", drain.remaining());
        }
        return json;
    }

    @GET
    @Path("/{name}")
    public Uni<byte[]> get(@PathParam("name") String name, @Context RoutingContext http) {
        return analyze(name, http, analysis::progress).map(progress -> WrittenJson.objectBytes(json -> {
            progress.drain().render(json);
            progress.result().render(json);
        }));
    }

    @GET
    @Path("/{name}/next")
    public Uni<byte[]> next(
            @PathParam("name") String name, @Context UriInfo uri, @Context RoutingContext http) {
        Paging.check(uri.getQueryParameters());
        int limit = Paging.limit(uri.getQueryParameters());
        destinations.requireMoves();
        return analyze(name, http, (snapshot, drain) -> analysis.next(snapshot, drain, limit))
                .map(moves -> WrittenJson.objectBytes(moves.result()::render));
    }

    /**
     * Ends a drain; moves in progress go on.
     *
     * @param enable {@code true}: enables the services that the drain disabled and deletes those that it created,
     * except services that were changed since. If nova owns the services, the response has the commands that enable
     * them
     */
    @DELETE
    @Path("/{name}")
    @Cancellable(false)
    public Uni<byte[]> stop(
            @PathParam("name") String name, @QueryParam("enable") String enable, @Context RoutingContext http) {
        boolean enablesServices = BooleanParameter.isTrue("enable", enable);
        return requireFound(name, store.stop(name, enablesServices && !hostKeeper.isForeign())).invoke(stopped -> {
            log(http, stopped.enabled());
            changes.recordChange(http, "drain " + name, stopped.drain().body().json().toString(), null);
        }).map(stopped -> WrittenJson.objectBytes(json -> write(json, stopped, enablesServices)));
    }

    private void write(JsonGenerator json, DrainStore.StoppedDrain stopped, boolean enablesServices)
            throws IOException {
        List<String> enabled = stopped.enabled().stream().map(ServiceChange::host).sorted().toList();
        List<String> disabled = stopped.drain().hosts().stream()
                .filter(host -> host.serviceAction() != DrainedHost.ServiceAction.NOTHING
                        && !enabled.contains(host.host()))
                .map(DrainedHost::host)
                .toList();
        json.writeStringField("name", stopped.drain().name());
        JsonLists.writeTexts(json, "enabled", enabled);
        JsonLists.writeTexts(json, "disabled", disabled);
        json.writeStringField("detail", detail(disabled.size(), enablesServices));
        if (hostKeeper.isForeign() && enablesServices) {
            JsonLists.writeTexts(
                    json, "commands", stopped.drain().hostNames().stream().map(NovaCommands::enable).toList());
        }
    }

    private String detail(int disabled, boolean enablesServices) {
        if (hostKeeper.isForeign()) {
            return "services are nova's to enable: openstack compute service set --enable";
        }
        if (disabled == 0) {
            return "the drain leaves no service disabled";
        }
        return (enablesServices
                ? "services that changed since the drain disabled them, and stay as they are: %d"
                : "services of the drain that stay disabled: %d; enable each with PUT /v1/services/{uuid}")
                .formatted(disabled);
    }

    private void log(RoutingContext http, List<ServiceChange> services) {
        services.forEach(
                each -> changes.recordChange(http, RecordCollection.SERVICES, each.uuid(), each.before(), each.now()));
    }

    private <T> Uni<T> analyze(RoutingContext http, Function<Snapshot, T> evaluate) {
        return jobs.run(new Deadline(ANALYSIS_MAX), RequestId.of(http), evaluate);
    }

    /** A drain and the result of its analysis. */
    private record Analyzed<T>(StoredDrain drain, T result) {}

    /** Runs an analysis of a drain. Fails with ApiFault (404) if no drain has this name. */
    private <T> Uni<Analyzed<T>> analyze(
            String name, RoutingContext http, BiFunction<Snapshot, StoredDrain, T> evaluate) {
        return requireFound(name, store.find(name))
                .chain(drain -> analyze(http, snapshot -> new Analyzed<>(drain, evaluate.apply(snapshot, drain))));
    }

    /** Returns the same Uni, but fails with ApiFault (404) if it emits null. */
    private static <T> Uni<T> requireFound(String name, Uni<T> found) {
        return found.onItem().ifNull().failWith(() -> ApiFault.notFound(
                "there is no drain " + name + "; GET /v1/drains lists all drains"));
    }
}
