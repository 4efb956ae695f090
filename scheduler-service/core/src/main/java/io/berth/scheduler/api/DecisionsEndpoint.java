package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.record.Ending;
import io.berth.scheduler.record.RecordPage;
import io.berth.scheduler.record.RecordSearch;
import io.berth.scheduler.record.RecordedDecision;
import io.berth.scheduler.text.Uuids;
import io.netty.handler.codec.http.QueryStringEncoder;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code GET /v1/decisions...}: returns decisions of all replicas, with their reasons. */
@Path("/v1/decisions")
@Produces(MediaType.APPLICATION_JSON)
public class DecisionsEndpoint {
    private static final int PAGE_MAX = 1_000;
    private static final Map<String, Ending.Result> RESULTS =
            Stream.of(Ending.Result.values()).collect(Collectors.toMap(result -> result.wireName(), result -> result));

    private final DecisionRecords records;
    private final RegistryFeed registry;

    DecisionsEndpoint(DecisionRecords records, RegistryFeed registry) {
        this.records = records;
        this.registry = registry;
    }

    /** Lists the latest decisions first. */
    @GET
    public Uni<String> list(@Context UriInfo uri) {
        MultivaluedMap<String, String> parameters = uri.getQueryParameters();
        parameters.forEach((name, values) -> {
            if (values.size() > 1) {
                throw ApiFault.invalid(name + ": is there more than once");
            }
            if (values.getFirst().indexOf(0) >= 0) {
                throw ApiFault.invalid(name + ": text must not hold NUL");
            }
        });
        RecordSearch search = new RecordSearch(
                uuid(parameters, "instance"),
                parameters.getFirst("project"),
                parameters.getFirst("host"),
                result(parameters.getFirst("result")),
                parameters.getFirst("flavor"),
                time(parameters, "since"),
                time(parameters, "until"),
                uuid(parameters, "marker"),
                limit(parameters.getFirst("limit")));
        return records.list(search).map(page -> render(page, parameters));
    }

    /** @param detail {@code tenant} leaves out host names, so that an orchestrator may show it to a user */
    @GET
    @Path("/{id}")
    public Uni<String> get(@PathParam("id") String id, @QueryParam("detail") String detail) {
        if (detail != null && !detail.equals("tenant")) {
            throw ApiFault.invalid("detail: must be tenant");
        }
        return found(id).map(detail == null ? RecordedDecision::render : RecordedDecision::renderForTenant);
    }

    @GET
    @Path("/{id}/hosts/{host}")
    public Uni<String> host(@PathParam("id") String id, @PathParam("host") String host) {
        return found(id).chain(decision -> registry.current().map(now -> decision.host(host).render(
                now.findService(host) != null || !now.computeNodesOf(host).isEmpty())));
    }

    private Uni<RecordedDecision> found(String id) {
        UUID uuid = Uuids.find(id);
        if (uuid == null) {
            throw absent(id);
        }
        return records.find(uuid).onItem().ifNull().failWith(() -> absent(id));
    }

    private static ApiFault absent(String id) {
        return ApiFault.notFound("there is no record of a decision " + id + ", or no more");
    }

    private static @Nullable UUID uuid(MultivaluedMap<String, String> parameters, String name) {
        String stated = parameters.getFirst(name);
        return stated == null ? null : StrictObject.uuidOf(stated, name);
    }

    private static @Nullable Ending.Result result(@Nullable String stated) {
        if (stated != null && !RESULTS.containsKey(stated)) {
            throw ApiFault.invalid("result: must be one of selected, no_valid_host, error");
        }
        return stated == null ? null : RESULTS.get(stated);
    }

    private static @Nullable Instant time(MultivaluedMap<String, String> parameters, String name) {
        String stated = parameters.getFirst(name);
        try {
            return stated == null ? null : OffsetDateTime.parse(stated).toInstant();
        } catch (DateTimeException notOne) {
            throw ApiFault.invalid(name + ": must be a time such as 2026-01-31T12:00:00Z");
        }
    }

    private static int limit(@Nullable String stated) {
        if (stated == null) {
            return PAGE_MAX;
        }
        if (!stated.matches("[1-9][0-9]{0,8}")) {
            throw ApiFault.invalid("limit: must be an integer of at least 1");
        }
        return Math.min(PAGE_MAX, Integer.parseInt(stated));
    }

    /** Renders a page; the link to a next page is relative. */
    private static String render(RecordPage<RecordedDecision> page, MultivaluedMap<String, String> parameters) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode decisions = json.putArray("decisions");
        page.records().forEach(decision -> decisions.add(decision.summary()));
        if (page.hasMore()) {
            QueryStringEncoder next = new QueryStringEncoder("");
            parameters.forEach((name, values) -> {
                if (!name.equals("marker")) {
                    next.addParam(name, values.getFirst());
                }
            });
            next.addParam("marker", page.records().getLast().id().toString());
            json.putArray("decisions_links").addObject().put("rel", "next").put("href", next.toString());
        }
        return json.toString();
    }
}
