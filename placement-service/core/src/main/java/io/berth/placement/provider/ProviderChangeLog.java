package io.berth.placement.provider;

import io.berth.identity.log.ChangeLog;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.Call;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;

/**
 * Logs and stores operators' changes of a resource provider's inventories, traits and aggregates, for {@code GET
 * /berth/v1/changes}.
 */
@Singleton
public final class ProviderChangeLog {
    private final ChangeLog log;

    ProviderChangeLog(ChangeLog log) {
        this.log = log;
    }

    /**
     * Logs and stores a change, unless {@code old} and {@code now} are equal.
     *
     * @param part the changed part of the provider, such as {@code inventory VCPU}
     * @param provider the state of the provider before the change
     * @param old the previous value; null if there was none
     * @param now the new value; null if the part was removed
     */
    public void logChange(Call call, String part, Provider provider, @Nullable String old, @Nullable String now) {
        log.changed(
                call.caller(), call.requestId(), part + " of " + provider.name() + " (" + provider.uuid() + ")", old,
                now);
    }
}
