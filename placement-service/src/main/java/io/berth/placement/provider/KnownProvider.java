package io.berth.placement.provider;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.ApiException;
import io.berth.placement.query.UuidText;
import java.util.List;
import java.util.UUID;

/** The provider that a path names. */
public final class KnownProvider {
    private KnownProvider() {}

    /** 404 when there is none. */
    public static Provider get(FleetView view, String uuid) {
        Provider provider = find(view, uuid);
        if (provider == null) {
            throw gone(uuid);
        }
        return provider;
    }

    /** Also one that no answer shows because its tree is not whole: to give it another parent may mend that. */
    static Provider getForUpdate(FleetView view, String uuid) {
        Provider shown = find(view, uuid);
        return shown != null ? shown : view.leftOut().values().stream().flatMap(List::stream)
                .filter(provider -> provider.uuid().equals(UuidText.parseCanonical(uuid)))
                .findFirst().orElseThrow(() -> gone(uuid));
    }

    /** Null when there is none. */
    public static Provider find(FleetView view, String uuid) {
        UUID canonical = UuidText.parseCanonical(uuid);
        return canonical == null ? null : view.find(canonical);
    }

    /** The refusal for a provider that is not, or no longer, there. */
    public static ApiException gone(String uuid) {
        return ApiException.notFound("No resource provider with uuid " + uuid + " found");
    }
}
