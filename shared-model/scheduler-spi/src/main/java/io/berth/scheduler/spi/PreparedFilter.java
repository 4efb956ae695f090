package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;

/**
 * A filter that evaluates the request once per round instead of once per host. Implement this interface if a part of
 * the check depends on the request alone. If every host passes for a request, return {@link HostCheck#PASS}.
 */
public interface PreparedFilter extends HostFilter {
    @Override
    HostCheck prepare(RequestSpec spec, Options options);

    @Override
    default Verdict check(HostState host, RequestSpec spec, Options options) {
        return prepare(spec, options).check(host);
    }
}
