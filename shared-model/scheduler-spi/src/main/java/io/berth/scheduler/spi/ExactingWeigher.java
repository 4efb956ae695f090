package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;

/** A weigher that fails the whole request if data that it needs about a host are missing or invalid. */
public interface ExactingWeigher extends HostWeigher {
    /**
     * Returns the reason why the host cannot be weighed; null if it can. A reason fails the whole request. Called
     * before {@link #raw}, on the same thread.
     */
    @Nullable String obstacle(HostState host, RequestSpec spec, Options options);
}
