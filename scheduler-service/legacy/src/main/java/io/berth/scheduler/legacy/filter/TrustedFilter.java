package io.berth.scheduler.legacy.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.HeedsNothing;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;

/**
 * Wants a node of the trust level that the extra spec {@code trust:trusted_host} names. The level is the host state's:
 * whoever builds it has asked the attestation service, or found it with the host's data; otherwise it is unknown.
 * <br>Differs from nova: it took the filter out in 2017. Where no {@code attestation_server} is configured, the level
 * counts that was registered with the host.
 * <br>Source: nova {@code scheduler/filters/trusted_filter.py} of the last release that had it.
 */
@Singleton
public final class TrustedFilter implements PreparedFilter, HeedsNothing {
    /** Names the level wanted; without it every node will do. */
    public static final String EXTRA_SPEC = "trust:trusted_host";

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        String wanted = spec.flavor().extraSpecs().get(EXTRA_SPEC);
        return wanted == null ? HostCheck.PASS : host -> compare(host, wanted);
    }

    private static Verdict compare(HostState host, String wanted) {
        String level = host.trustLevel() == null ? "unknown" : host.trustLevel();
        return wanted.equals(level)
                ? Verdict.PASS
                : Verdict.reject("trust", "trust level %s wanted, node is %s", wanted, level);
    }
}
