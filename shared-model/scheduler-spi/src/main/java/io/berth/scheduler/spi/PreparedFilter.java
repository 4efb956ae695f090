package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;

/**
 * A filter that derives from the request once what it would otherwise derive for each of thousands of hosts; above all
 * that the request does not concern it.
 */
public interface PreparedFilter extends HostFilter {
    @Override
    HostCheck prepare(RequestSpec spec, Options options);

    @Override
    default Verdict check(HostState host, RequestSpec spec, Options options) {
        return prepare(spec, options).check(host);
    }
}
