package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;

/**
 * A filter whose verdict on a host is the same for all instances of a request and does not depend on earlier
 * placements. A filter whose verdict may differ between instances, but does not depend on earlier placements,
 * implements {@code HostFilter} and overrides {@code sensitivity}.
 */
public interface InsensitiveFilter extends HostFilter {
    @Override
    default boolean runsOncePerRequest() {
        return true;
    }

    @Override
    default Sensitivity sensitivity() {
        return Sensitivity.NOTHING;
    }
}
