package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.Paging;
import io.berth.scheduler.record.DecisionOutcome;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.record.DecisionText;
import io.berth.scheduler.record.RecordPage;
import io.berth.scheduler.record.RecordSearch;
import io.berth.scheduler.record.RecordedDecision;
import io.berth.scheduler.response.AnalysisOutcome;
import io.berth.scheduler.response.ResponseFormat;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code GET /v1/decisions}: lists the decision records of all replicas. {@code GET /v1/decisions/{id}} returns one
 * record with its reasons; {@code GET /v1/decisions/{id}/hosts/{host}} returns the result for one host of that
 * decision.
 */
@Path("/v1/decisions")
@Produces(MediaType.APPLICATION_JSON)
public class DecisionsEndpoint {
    private static final Map<String, DecisionOutcome.Result> RESULT_BY_NAME =
            Stream.of(DecisionOutcome.Result.values())
                    .collect(Collectors.toMap(result -> result.wireName(), result -> result));

    private final DecisionRecords records;
    private final RegistryFeed registry;
    private final NamedInstances instances;

    DecisionsEndpoint(DecisionRecords records, RegistryFeed registry, NamedInstances instances) {
        this.records = records;
        this.instances = instances;
        this.registry = registry;
    }

    /** Lists decisions, the latest first. */
    @GET
    public Uni<String> list(@Context UriInfo uri) {
        MultivaluedMap<String, String> parameters = uri.getQueryParameters();
        Paging.check(parameters);
        // Invalid parameters are refused before the database is queried.
        RecordSearch search = search(parameters);
        String instance = parameters.getFirst("instance");
        return (instance == null ? Uni.createFrom().item(search) : instances.uuidOf(instance).map(search::about))
                .chain(records::list)
                .map(page -> render(page, parameters));
    }

    /** Returns the search without the instance, which is added once its uuid is known. */
    private static RecordSearch search(MultivaluedMap<String, String> parameters) {
        return new RecordSearch(
                null,
                parameters.getFirst("project"),
                parameters.getFirst("host"),
                result(parameters.getFirst("result")),
                parameters.getFirst("flavor"),
                time(parameters, "since"),
                time(parameters, "until"),
                Paging.marker(parameters),
                Paging.limit(parameters));
    }

    /**
     * Returns one record.
     *
     * @param id the id of a decision, or the uuid or name of an instance, whose newest decision is returned
     * @param detail {@code tenant} leaves out host names, so that a project's user may see the response; null: the
     *     response has host names
     */
    @GET
    @Path("/{id}")
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_PLAIN})
    public Uni<Response> get(
            @PathParam("id") String id, @QueryParam("detail") String detail, @Context RoutingContext http) {
        if (detail != null && !detail.equals("tenant")) {
            throw ApiFault.invalid("detail: must be tenant");
        }
        ResponseFormat format = ResponseFormat.of(http);
        return findDecision(id).map(decision -> format.render(
                AnalysisOutcome.of(true, decision.isSelected()),
                detail == null ? decision.render() : decision.renderForTenant(),
                DecisionText::of));
    }

    /** Returns the part of a decision record that concerns one host. */
    @GET
    @Path("/{id}/hosts/{host}")
    public Uni<String> host(@PathParam("id") String id, @PathParam("host") String host) {
        return findDecision(id).chain(decision -> registry.current().map(snapshot -> decision.host(host).render(
                snapshot.findService(host) != null || !snapshot.computeNodesOf(host).isEmpty())));
    }

    /**
     * Finds a decision. Fails with ApiFault (404) if there is none.
     *
     * @param idOrInstance the id of a decision, or the uuid or name of an instance, whose newest decision is found
     */
    private Uni<RecordedDecision> findDecision(String idOrInstance) {
        UUID uuid = Uuids.find(idOrInstance);
        return (uuid == null ? Uni.createFrom().<RecordedDecision>nullItem() : records.find(uuid))
                .onItem().ifNull().switchTo(() -> findNewest(idOrInstance));
    }

    private Uni<RecordedDecision> findNewest(String instance) {
        return instances.uuidOf(instance)
                .chain(records::newestOf)
                .onItem().ifNull()
                .failWith(() -> ApiFault.notFound(("%s: no decision on record has this id or instance"
                        + " (records are kept for a while: berth.scheduler.decisions.keep)").formatted(instance)));
    }

    private static @Nullable DecisionOutcome.Result result(@Nullable String value) {
        if (value != null && !RESULT_BY_NAME.containsKey(value)) {
            throw ApiFault.invalid("result: must be one of selected, no_valid_host, error");
        }
        return value == null ? null : RESULT_BY_NAME.get(value);
    }

    private static @Nullable Instant time(MultivaluedMap<String, String> parameters, String name) {
        String value = parameters.getFirst(name);
        try {
            return value == null ? null : OffsetDateTime.parse(value).toInstant();
        } catch (DateTimeException invalid) {
            throw ApiFault.invalid(name + ": must be a time such as 2026-01-31T12:00:00Z");
        }
    }

    /** Renders a page. If it is not the last page, it has a relative link to the next page. */
    private static String render(RecordPage<RecordedDecision> page, MultivaluedMap<String, String> parameters) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode decisions = json.putArray("decisions");
        page.records().forEach(decision -> decisions.add(decision.summary()));
        if (page.hasMore()) {
            Paging.link(json, "decisions", parameters, page.records().getLast().id().toString());
        }
        return json.toString();
    }
}
