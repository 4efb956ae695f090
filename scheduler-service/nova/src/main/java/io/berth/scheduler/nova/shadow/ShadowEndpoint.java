package io.berth.scheduler.nova.shadow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.Paging;
import io.berth.scheduler.response.AnalysisOutcome;
import io.berth.scheduler.response.ResponseFormat;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

/**
 * {@code GET /v1/shadow}: returns the comparisons of Berth's choices with nova-scheduler's. They come from all
 * replicas, except {@code waiting} (number of instances that wait for nova's claim) and {@code dropped} (number of
 * instances that were not compared because too many waited), which count this replica only.
 */
@Path("/v1/shadow")
@Produces(MediaType.APPLICATION_JSON)
public class ShadowEndpoint {
    /** The maximum number of differences that are returned. */
    private static final int DIFFERENCES_MAX = 1_000;
    /** The number of differences that are returned if the query has no {@code limit}. */
    private static final int DIFFERENCES_DEFAULT = 20;

    private final ShadowStore store;
    private final NovaChoices choices;

    ShadowEndpoint(ShadowStore store, NovaChoices choices) {
        this.store = store;
        this.choices = choices;
    }

    /**
     * Returns the comparisons. The response header {@code berth-answer} is yes if no comparison since {@code since} has
     * the verdict {@code different}; otherwise no.
     *
     * @param since time with an offset; only comparisons of decisions at or after this time count. Null: all stored
     * comparisons
     * @param limit number of the latest differences to return, 1 to 999,999,999; a number above 1,000 counts as 1,000.
     * Null: 20
     */
    @GET
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_PLAIN})
    public Uni<Response> show(
            @QueryParam("since") @Nullable String since, @QueryParam("limit") @Nullable String limit,
            @Context RoutingContext http) {
        Instant sinceTime = since == null ? Instant.EPOCH : time(since);
        int differencesMax = limit == null ? DIFFERENCES_DEFAULT : Paging.limit(limit, DIFFERENCES_MAX);
        ResponseFormat format = ResponseFormat.of(http);
        boolean isComplete = true; // The queries have no time limit.
        return store.counts(sinceTime).chain(counts -> store.times(sinceTime).chain(times -> store
                .differences(sinceTime, differencesMax)
                .map(differences -> format.render(
                        AnalysisOutcome.of(isComplete, counts.stream().noneMatch(ShadowEndpoint::isDifferent)),
                        render(counts, times, differences), ShadowText::of))));
    }

    private static boolean isDifferent(ShadowStore.Count count) {
        return count.verdict().equals(Comparison.Verdict.DIFFERENT.wireName());
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException invalid) {
            throw ApiFault.invalid("since: must be a time such as 2026-01-31T12:00:00Z");
        }
    }

    private String render(
            List<ShadowStore.Count> counts, ShadowStore.Times times, List<ShadowStore.Different> differences) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        long all = 0;
        ObjectNode verdicts = json.putObject("verdicts");
        for (Comparison.Verdict verdict : Comparison.Verdict.values()) {
            long count = counts.stream()
                    .filter(each -> each.verdict().equals(verdict.wireName()))
                    .mapToLong(ShadowStore.Count::count)
                    .sum();
            verdicts.put(verdict.wireName(), count);
            all += count;
        }
        json.put("instances", all);
        ArrayNode reasons = json.putArray("reasons");
        counts.stream().filter(each -> each.reason() != null).forEach(each -> reasons.addObject()
                .put("verdict", each.verdict())
                .put("reason", each.reason())
                .put("by", each.by())
                .put("count", each.count()));
        json.put("waiting", choices.waitingCount());
        json.put("dropped", (long) store.dropped().count());
        ObjectNode decided = json.putObject("decided_ms");
        decided.put("median", times.decided()).put("p90", times.decided90());
        ObjectNode seen = json.putObject("claim_seen_ms");
        seen.put("median", times.seen()).put("p90", times.seen90());
        ArrayNode latest = json.putArray("differences");
        differences.forEach(each -> latest.addObject()
                .put("decision_id", each.decision().toString())
                .put("instance_uuid", each.instance().toString())
                .put("reason", each.reason())
                .put("by", each.by())
                .put("host", each.host())
                .put("nova_host", each.novaHost())
                .put("weight", each.weight())
                .put("nova_weight", each.novaWeight())
                .put("detail", each.detail()));
        return json.toString();
    }
}
