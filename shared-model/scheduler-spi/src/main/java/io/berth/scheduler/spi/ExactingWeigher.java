package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;

/** A weigher that needs hosts to have certain data, and fails the whole request if a host lacks them. */
public interface ExactingWeigher extends HostWeigher {
    /**
     * Returns the reason why the host cannot be weighed, which fails the whole request; null if it can. Called before
     * {@link #raw}.
     */
    @Nullable String obstacle(HostState host, RequestSpec spec, Options options);
}
