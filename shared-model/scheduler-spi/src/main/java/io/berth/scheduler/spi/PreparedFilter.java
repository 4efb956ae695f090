package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;

/** A filter that derives values from the request once instead of once per host, above all that it does not apply. */
public interface PreparedFilter extends HostFilter {
    @Override
    HostCheck prepare(RequestSpec spec, Options options);

    @Override
    default Verdict check(HostState host, RequestSpec spec, Options options) {
        return prepare(spec, options).check(host);
    }
}
