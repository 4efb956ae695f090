package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;

/** A weigher that cannot weigh every host. */
public interface ExactingWeigher extends HostWeigher {
    /** Returns why the host cannot be weighed, which fails the whole request, or null. Called before {@link #raw}. */
    @Nullable String obstacle(HostState host, RequestSpec spec, Options options);
}
