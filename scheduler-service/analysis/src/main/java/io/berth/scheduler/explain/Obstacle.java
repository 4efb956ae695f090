package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.spi.Remedy;
import java.util.List;

/**
 * One cause that keeps an instance of the request off a host.
 *
 * @param json the obstacle as in the response
 * @param remedies the remedies that the filter, or the check of the request's own restrictions, proposes; empty for an
 * obstacle of placement
 */
record Obstacle(ObjectNode json, List<Remedy> remedies) {
    static Obstacle of(ObjectNode json) {
        return new Obstacle(json, List.of());
    }

    String code() {
        return json.path("code").asText();
    }

    boolean isOfPlacement() {
        return json.path("stage").asText().equals("placement");
    }
}
