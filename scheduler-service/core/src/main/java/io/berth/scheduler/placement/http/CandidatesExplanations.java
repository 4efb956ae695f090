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
 * Queries placement, if it is Berth's, for the reason why a query returned no or too few candidates. Each method makes
 * one call.
 */
@Singleton
public class CandidatesExplanations {
    private static final String PATH = "/berth/v1/allocation_candidates/explanation?";
    /**
     * Leaves out relaxations, which take longer than a refusal may, and limits the trees to the number that placement
     * can examine alongside its ordinary responses.
     */
    private static final String BRIEF = "&relaxations=0&providers_limit=100&timeout_s=3";

    private final PlacementHttp http;

    CandidatesExplanations(PlacementHttp http) {
        this.http = http;
    }

    /** Returns null if placement does not report it, or does not respond. */
    public Uni<CandidatesExplanation> of(String queryString, String requestId) {
        return http.repeatable(HttpMethod.GET, PATH + queryString + BRIEF, PlacementClient.MICROVERSION, requestId)
                .map(answer -> answer.status() == 200 ? parse(answer.body().getBytes()) : null)
                .onFailure().recoverWithNull();
    }

    /**
     * Returns the obstacles that keep a provider's tree from being a candidate, as texts; empty if there are none, or
     * placement does not report them.
     */
    public Uni<List<String>> obstacles(String queryString, UUID provider, String requestId) {
        return http
                .repeatable(
                        HttpMethod.GET, PATH + queryString + BRIEF + "&provider=" + provider,
                        PlacementClient.MICROVERSION, requestId)
                .map(answer -> answer.status() == 200 ? texts(answer.body().getBytes()) : List.<String>of())
                .onFailure().recoverWithItem(List.of());
    }

    private static List<String> texts(byte[] body) {
        return JsonBody.parse(body).path("providers").valueStream()
                .flatMap(provider -> provider.path("obstacles").valueStream())
                .map(obstacle -> obstacle.path("text").asText())
                .toList();
    }

    private static @Nullable CandidatesExplanation parse(byte[] body) {
        JsonNode read;
        try {
            read = JsonBody.parse(body);
        } catch (ApiFault unreadable) {
            return null;
        }
        List<CandidatesExplanation.Demand> demands = new ArrayList<>();
        for (JsonNode demand : read.path("demands")) {
            demands.add(new CandidatesExplanation.Demand(
                    demand.path("demand").asText(),
                    demand.path("alone").asLong(),
                    demand.path("suitable").asLong(),
                    demand.path("after_all_before").asLong(),
                    demand.path("removed").valueStream().map(root -> provider(root, "root")).toList(),
                    demand.path("obstacle").textValue(),
                    demand.has("nearest") ? nearest(demand.path("nearest")) : null));
        }
        List<CandidatesExplanation.Blocked> blocked = new ArrayList<>();
        for (JsonNode tree : read.path("providers")) {
            List<JsonNode> obstacles = tree.path("obstacles").valueStream().toList();
            if (!obstacles.isEmpty()) {
                blocked.add(new CandidatesExplanation.Blocked(provider(tree, "root"), obstacles));
            }
        }
        return new CandidatesExplanation(read.path("roots").asLong(), read.path("candidates").asLong(), demands, blocked);
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

    private static CandidatesExplanation.Provider provider(JsonNode node, String uuid) {
        return new CandidatesExplanation.Provider(node.path(uuid).asText(), node.path("name").asText());
    }
}
