package io.berth.scheduler.placement.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the names of all traits and resource classes of placement, without a cache: it is called only after placement
 * has refused a query or a write that may have an unknown name.
 */
@Singleton
public class PlacementVocabulary {
    private final PlacementHttp http;

    PlacementVocabulary(PlacementHttp http) {
        this.http = http;
    }

    /** GET /traits; empty if there is no usable response. */
    public Uni<Set<String>> traits(String requestId) {
        return names("/traits", "traits", requestId);
    }

    /** GET /resource_classes; empty if there is no usable response. */
    public Uni<Set<String>> resourceClasses(String requestId) {
        return names("/resource_classes", "resource_classes", requestId);
    }

    private Uni<Set<String>> names(String path, String member, String requestId) {
        return http.repeatable(HttpMethod.GET, path, PlacementClient.MICROVERSION, requestId)
                .map(answer -> answer.status() == 200 ? parse(answer.body().getBytes(), member) : Set.<String>of())
                .onFailure().recoverWithItem(Set.of());
    }

    /** Parses an array of strings, or of objects with a member {@code name}. Empty if the body is invalid. */
    private static Set<String> parse(byte[] body, String member) {
        Set<String> names = new TreeSet<>();
        try {
            for (JsonNode each : JsonBody.parse(body).path(member)) {
                names.add(each.isTextual() ? each.textValue() : each.path("name").asText());
            }
        } catch (ApiFault unreadable) {
            return Set.of();
        }
        return names;
    }
}
