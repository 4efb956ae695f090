package io.berth.placement.provider;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.ApiException;
import io.berth.placement.query.UuidText;
import java.util.List;
import java.util.UUID;

/** Finds the provider that a request's path names. */
public final class KnownProvider {
    private KnownProvider() {}

    /** Returns the provider; 404 if it does not exist. */
    public static Provider get(FleetView view, String uuid) {
        Provider provider = find(view, uuid);
        if (provider == null) {
            throw gone(uuid);
        }
        return provider;
    }

    /**
     * Finds like {@link #get(FleetView, String)}. The error repeats its text, as upstream's reading routes do.
     *
     * @param between text between the repetitions
     */
    public static Provider get(FleetView view, String uuid, String between) {
        Provider provider = find(view, uuid);
        if (provider == null) {
            String gone = gone(uuid).getMessage();
            throw ApiException.notFound(gone + between + gone);
        }
        return provider;
    }

    /** Returns whether a body that names a generation names the provider's present one. */
    public static boolean isGenerationOf(Provider provider, JsonNode body) {
        JsonNode given = body.get("resource_provider_generation");
        return given.canConvertToInt() && given.intValue() == provider.generation();
    }

    /** Returns the error for a provider whose generation has changed meanwhile. */
    public static ApiException changed() {
        return ApiException.concurrentUpdate(
                "Resource provider's generation already changed. Please update the generation and try again.");
    }

    /**
     * Returns the provider to update. Also finds a provider that responses leave out because its parents do not lead to
     * its root: an update of its parent may fix that.
     */
    static Provider getForUpdate(FleetView view, String uuid) {
        Provider shown = find(view, uuid);
        return shown != null ? shown : view.leftOut().values().stream().flatMap(List::stream)
                .filter(provider -> provider.uuid().equals(UuidText.parseCanonical(uuid)))
                .findFirst().orElseThrow(() -> gone(uuid));
    }

    /** Returns the provider; null if there is none. */
    public static Provider find(FleetView view, String uuid) {
        UUID canonical = UuidText.parseCanonical(uuid);
        return canonical == null ? null : view.find(canonical);
    }

    /** Returns the error for a provider that does not exist (any longer). */
    public static ApiException gone(String uuid) {
        return ApiException.notFound("No resource provider with uuid " + uuid + " found");
    }
}
