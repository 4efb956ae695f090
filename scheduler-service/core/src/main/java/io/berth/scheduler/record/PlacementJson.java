package io.berth.scheduler.record;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.scheduler.search.Shortfall;
import jakarta.annotation.Nullable;
import java.io.IOException;

/**
 * Renders as JSON why placement returned no candidates or too few: the query; for each demand the number of provider
 * trees that meet it, and the number that also meet all demands before it; the demands that are to blame; and the
 * provider that came nearest.
 */
public final class PlacementJson {
    private PlacementJson() {}

    /**
     * Writes the members into the current JSON object.
     *
     * @param shortfall null if placement did not report it; then only the query is written, with 0 candidates
     */
    public static void write(JsonGenerator json, String query, @Nullable Shortfall shortfall) throws IOException {
        json.writeNumberField("candidates", shortfall == null ? 0 : shortfall.candidates());
        json.writeStringField("query", query);
        if (shortfall != null) {
            write(json, shortfall);
        }
    }

    /** Writes the hosts that placement did not offer, those that lack least first, with their obstacles. */
    static void writeHosts(JsonGenerator json, Shortfall shortfall) throws IOException {
        JsonLists.writeObjects(json, "hosts", shortfall.blocked(), blocked -> {
            json.writeStringField("host", blocked.host());
            json.writeStringField("nodename", blocked.nodename());
            JsonLists.writeArray(json, "obstacles", blocked.obstacles(), each -> json.writeRawValue(each.toString()));
        });
    }

    private static void write(JsonGenerator json, Shortfall shortfall) throws IOException {
        json.writeNumberField("roots", shortfall.roots());
        JsonLists.writeObjects(json, "demands", shortfall.demands(), demand -> {
            json.writeStringField("demand", demand.text());
            json.writeNumberField("alone", demand.suitable());
            json.writeNumberField("after_all_before", demand.remaining());
        });
        JsonLists.writeTexts(json, "emptied_by", shortfall.emptiedBy());
        if (shortfall.nearest() != null && shortfall.nearestReason() != null) {
            json.writeObjectFieldStart("nearest_miss");
            json.writeStringField("provider_uuid", shortfall.nearest().provider().uuid());
            json.writeStringField("provider_name", shortfall.nearest().provider().name());
            json.writeStringField("reason", shortfall.nearestReason());
            json.writeEndObject();
        }
    }
}
