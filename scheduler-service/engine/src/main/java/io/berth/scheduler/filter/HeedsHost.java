package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;

/** A filter that looks at what was placed on the host, and nowhere else. */
interface HeedsHost extends HostFilter {
    @Override
    default Heeds heeds() {
        return Heeds.HOST;
    }
}
