package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;

/**
 * A filter whose verdict on a host can change once another instance is placed on this host, but not if an instance is
 * placed on another host.
 */
public interface HostSensitiveFilter extends HostFilter {
    @Override
    default Sensitivity sensitivity() {
        return Sensitivity.HOST;
    }
}
