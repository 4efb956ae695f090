package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;

/** A filter whose verdict on a host can only change with earlier placements on the same host. */
public interface HostSensitiveFilter extends HostFilter {
    @Override
    default Sensitivity sensitivity() {
        return Sensitivity.HOST;
    }
}
