package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;

/** A weigher that fails the whole request if a host has not the data that the weigher needs, or if they are invalid. */
public interface ExactingWeigher extends HostWeigher {
    /**
     * Returns the reason why the host cannot be weighed; null if it can. A reason fails the whole request. Called
     * before {@link #raw}, on the same thread.
     */
    @Nullable String obstacle(HostState host, RequestSpec spec, Options options);
}
