package io.berth.scheduler.placement.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.placement.CandidatesExplanation;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Queries Berth's Placement for the reason why a query returned no candidates, or too few. Each method sends one query.
 */
@Singleton
public class CandidatesExplanations {
    private static final String PATH = "/berth/v1/allocation_candidates/explanation?";
    /**
     * Query parameters that keep the call short: no relaxations (sets of demands without which more trees would be
     * candidates), because a client should not wait that long for an error; obstacles of at most 100 trees, which
     * placement can examine beside its other work; and a time limit of 3 seconds.
     */
    private static final String BRIEF = "&relaxations=0&providers_limit=100&timeout_s=3";

    private final PlacementHttp http;

    CandidatesExplanations(PlacementHttp http) {
        this.http = http;
    }

    /**
     * Returns the explanation of a query; null if placement does not respond, refuses the query or lacks the route.
     * Never fails.
     *
     * @param queryString of the query for candidates, url-encoded, without the question mark
     */
    public Uni<CandidatesExplanation> of(String queryString, String requestId) {
        return http.repeatable(HttpMethod.GET, PATH + queryString + BRIEF, PlacementClient.MICROVERSION, requestId)
                .map(answer -> answer.status() == 200 ? parse(answer.body().getBytes()) : null)
                .onFailure().recoverWithNull();
    }

    /**
     * Returns a sentence for each obstacle that keeps the tree of a provider from being a candidate. Empty if there are
     * no obstacles, or if placement does not respond, refuses the query or lacks the route. Never fails.
     *
     * @param queryString as for {@link #of}
     */
    public Uni<List<String>> obstacles(String queryString, UUID provider, String requestId) {
        return http
                .repeatable(
                        HttpMethod.GET, PATH + queryString + BRIEF + "&provider=" + provider,
                        PlacementClient.MICROVERSION, requestId)
                .map(answer -> answer.status() == 200
                        ? parseObstacleTexts(answer.body().getBytes())
                        : List.<String>of())
                .onFailure().recoverWithItem(List.of());
    }

    private static List<String> parseObstacleTexts(byte[] body) {
        return JsonBody.parse(body).path("providers").valueStream()
                .flatMap(provider -> provider.path("obstacles").valueStream())
                .map(obstacle -> obstacle.path("text").asText())
                .toList();
    }

    private static @Nullable CandidatesExplanation parse(byte[] body) {
        JsonNode json;
        try {
            json = JsonBody.parse(body);
        } catch (ApiFault unreadable) {
            return null;
        }
        List<CandidatesExplanation.Demand> demands = new ArrayList<>();
        for (JsonNode demand : json.path("demands")) {
            demands.add(new CandidatesExplanation.Demand(
                    demand.path("demand").asText(),
                    demand.path("alone").asLong(),
                    demand.path("suitable").asLong(),
                    demand.path("after_all_before").asLong(),
                    demand.path("removed").valueStream().map(root -> provider(root, "root")).toList(),
                    demand.path("obstacle").textValue(),
                    demand.has("nearest") ? nearest(demand.path("nearest")) : null));
        }
        List<CandidatesExplanation.BlockedTree> blocked = new ArrayList<>();
        for (JsonNode tree : json.path("providers")) {
            List<JsonNode> obstacles = tree.path("obstacles").valueStream().toList();
            if (!obstacles.isEmpty()) {
                blocked.add(new CandidatesExplanation.BlockedTree(provider(tree, "root"), obstacles));
            }
        }
        return new CandidatesExplanation(json.path("roots").asLong(), json.path("candidates").asLong(), demands,
                blocked);
    }

    private static CandidatesExplanation.Nearest nearest(JsonNode nearest) {
        return new CandidatesExplanation.Nearest(
                provider(nearest, "provider"),
                nearest.path("free").asLong(),
                nearest.path("reserved").asLong(),
                nearest.path("min_unit").asLong(),
                nearest.path("max_unit").asLong(),
                nearest.path("step_size").asLong());
    }

    /** @param uuidMember name of the member that contains the uuid */
    private static CandidatesExplanation.Provider provider(JsonNode node, String uuidMember) {
        return new CandidatesExplanation.Provider(node.path(uuidMember).asText(), node.path("name").asText());
    }
}
