package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;

/** A filter that looks at what was placed on the host, and nowhere else. */
public interface HeedsHost extends HostFilter {
    @Override
    default Heeds heeds() {
        return Heeds.HOST;
    }
}
