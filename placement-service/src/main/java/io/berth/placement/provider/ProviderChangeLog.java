package io.berth.placement.provider;

import io.berth.identity.log.ChangeLog;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.Call;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;

/** Logs callers' changes of resource providers. */
@Singleton
public final class ProviderChangeLog {
    private final ChangeLog log;

    ProviderChangeLog(ChangeLog log) {
        this.log = log;
    }

    /**
     * Logs a change.
     *
     * @param part the changed part of the provider, such as {@code inventory VCPU}
     * @param provider its state before the change
     * @param old the previous value; null if there was none
     * @param now the new value; null if the part was removed
     */
    public void changed(Call call, String part, Provider provider, @Nullable String old, @Nullable String now) {
        log.changed(
                call.caller(), call.requestId(), part + " of " + provider.name() + " (" + provider.uuid() + ")", old, now);
    }
}
