package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;

/**
 * A filter that says the same for all instances of a request, whatever was placed before. One that heeds nothing, but what
 * may change from instance to instance, says so itself.
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
