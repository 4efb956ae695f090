package io.berth.placement.provider;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.ApiException;
import io.berth.placement.query.UuidText;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;

/** Finds the provider that a request names. */
public final class KnownProvider {
    private KnownProvider() {}

    /**
     * Returns the provider with this uuid, which must have the canonical form.
     *
     * @throws ApiException 404 if there is no such provider, if the view {@linkplain FleetView#leftOut leaves it out},
     *         or if the uuid does not have the canonical form
     */
    public static Provider get(FleetView view, String uuid) {
        Provider provider = find(view, uuid);
        if (provider == null) {
            throw noSuchProvider(uuid);
        }
        return provider;
    }

    /**
     * Does the same as {@link #get(FleetView, String)}, with an error message that contains its text twice, as in some
     * of upstream's routes.
     *
     * @param between the text between the two copies
     */
    public static Provider get(FleetView view, String uuid, String between) {
        Provider provider = find(view, uuid);
        if (provider == null) {
            String message = noSuchProvider(uuid).getMessage();
            throw ApiException.notFound(message + between + message);
        }
        return provider;
    }

    /**
     * Returns whether {@code resource_provider_generation} in a body, which must have this member, is the provider's
     * present generation.
     */
    public static boolean isGenerationOf(Provider provider, JsonNode body) {
        JsonNode generation = body.get("resource_provider_generation");
        return generation.canConvertToInt() && generation.intValue() == provider.generation();
    }

    /** Returns the 409 for a provider that no longer has the client's generation. */
    public static ApiException generationConflict() {
        return ApiException.concurrentUpdate(
                "Resource provider's generation already changed. Please update the generation and try again.");
    }

    /**
     * Returns the provider to update. Unlike {@link #get(FleetView, String)}, also finds a provider that the view
     * {@linkplain FleetView#leftOut leaves out} because its parents do not lead to its root: an update of the parent
     * may fix that.
     *
     * @throws ApiException 404 if there is no such provider
     */
    static Provider getForUpdate(FleetView view, String uuid) {
        Provider found = find(view, uuid);
        return found != null ? found : view.leftOut().values().stream().flatMap(List::stream)
                .filter(provider -> provider.uuid().equals(UuidText.parseCanonical(uuid)))
                .findFirst().orElseThrow(() -> noSuchProvider(uuid));
    }

    /**
     * Returns the provider with this uuid; null if there is none, if the view {@linkplain FleetView#leftOut leaves it
     * out}, or if the uuid does not have the canonical form.
     */
    public static @Nullable Provider find(FleetView view, String uuid) {
        UUID canonical = UuidText.parseCanonical(uuid);
        return canonical == null ? null : view.find(canonical);
    }

    /** Returns the 404 for a provider that does not exist. */
    public static ApiException noSuchProvider(String uuid) {
        return ApiException.notFound("No resource provider with uuid " + uuid + " found");
    }
}
