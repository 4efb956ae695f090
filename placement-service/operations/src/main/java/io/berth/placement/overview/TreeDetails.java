package io.berth.placement.overview;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.json.Timestamps;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.Json;
import io.berth.placement.inventory.InventoryJson;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Renders one tree as JSON with the details of all its providers, parents before children. Pure. */
final class TreeDetails {
    private TreeDetails() {}

    /**
     * Returns the response body.
     *
     * @param time a time at which the view showed every commit
     */
    static byte[] render(FleetView view, ProviderTree tree, Instant time) {
        return Json.writeObject(json -> {
            json.writeStringField("replica", view.lineage());
            json.writeNumberField("position", view.version());
            json.writeStringField("time", Timestamps.text(time));
            json.writeArrayFieldStart("providers");
            for (int node = 0; node < tree.size(); node++) {
                int parent = tree.parent(node);
                json.writeStartObject();
                write(json, view, tree.node(node), parent < 0 ? null : tree.node(parent).uuid());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void write(JsonGenerator json, FleetView view, Provider provider, @Nullable UUID parent)
            throws IOException {
        json.writeStringField("uuid", provider.uuid().toString());
        json.writeStringField("name", provider.name());
        json.writeStringField("parent", parent == null ? null : parent.toString());
        json.writeNumberField("generation", provider.generation());
        json.writeFieldName("inventories");
        InventoryJson.write(json, provider.inventories(), view.resourceClasses());
        List<String> traits = Arrays.stream(provider.traitIds()).mapToObj(view.traits()::name).sorted().toList();
        JsonLists.writeTexts(json, "traits", traits);
        JsonLists.writeTexts(json, "aggregates", Arrays.asList(provider.aggregates()));
    }
}
