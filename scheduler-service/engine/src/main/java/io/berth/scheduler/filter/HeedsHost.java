package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;

/** A filter whose verdict depends on earlier placements only through the host itself. */
public interface HeedsHost extends HostFilter {
    @Override
    default Heeds heeds() {
        return Heeds.HOST;
    }
}
