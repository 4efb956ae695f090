package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;

/**
 * A filter with the same verdict for all instances of a request, whatever was placed before. A filter that ignores
 * earlier placements, but whose verdict may differ between instances, implements {@code HostFilter} and overrides
 * {@code heeds}.
 */
public interface HeedsNothing extends HostFilter {
    @Override
    default boolean runsOncePerRequest() {
        return true;
    }

    @Override
    default Heeds heeds() {
        return Heeds.NOTHING;
    }
}
