package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;

/**
 * A filter that evaluates the request once, and not again for each of thousands of hosts. Implement it if something can
 * be derived from the request alone, above all that every host passes.
 */
public interface PreparedFilter extends HostFilter {
    @Override
    HostCheck prepare(RequestSpec spec, Options options);

    @Override
    default Verdict check(HostState host, RequestSpec spec, Options options) {
        return prepare(spec, options).check(host);
    }
}
