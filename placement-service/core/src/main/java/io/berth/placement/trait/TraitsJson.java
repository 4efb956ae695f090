package io.berth.placement.trait;

import io.berth.json.JsonLists;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.Responses;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.core.Response;
import java.util.List;

/** Creates responses with lists of traits. */
final class TraitsJson {
    private TraitsJson() {}

    /**
     * Returns a 200 with these traits. Last-Modified is the latest change of any of them, or the present time if there
     * are none.
     *
     * @param generation the generation of the provider with these traits; null if the response is not about a provider
     */
    static Response reply(Call call, List<NameCatalogue.Entry> traits, @Nullable Integer generation) {
        byte[] body = Json.writeObject(json -> {
            JsonLists.writeTexts(json, "traits", traits.stream().map(NameCatalogue.Entry::name).toList());
            if (generation != null) {
                json.writeNumberField("resource_provider_generation", generation);
            }
        });
        long latestMs =
                traits.stream().mapToLong(NameCatalogue.Entry::updatedAtMs).max().orElseGet(System::currentTimeMillis);
        return Responses.ok(call, body, latestMs);
    }
}
