package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;

/** A filter whose verdict on a host changes only with placements on that host. */
public interface HeedsHost extends HostFilter {
    @Override
    default Heeds heeds() {
        return Heeds.HOST;
    }
}
