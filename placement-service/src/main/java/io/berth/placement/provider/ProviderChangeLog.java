package io.berth.placement.provider;

import io.berth.identity.log.ChangeLog;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.Call;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;

/** Logs what callers changed of resource providers. */
@Singleton
public final class ProviderChangeLog {
    private final ChangeLog log;

    ProviderChangeLog(ChangeLog log) {
        this.log = log;
    }

    /**
     * @param part of the provider, such as {@code inventory VCPU}
     * @param provider as it was before
     * @param old null where it had none
     * @param now null where it has none any more
     */
    public void changed(Call call, String part, Provider provider, @Nullable String old, @Nullable String now) {
        log.changed(
                call.caller(), call.requestId(), part + " of " + provider.name() + " (" + provider.uuid() + ")", old, now);
    }
}
