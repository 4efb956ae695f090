package io.berth.scheduler.legacy.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.InsensitiveFilter;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Accepts only nodes of the trust level that the extra spec {@code trust:trusted_host} names. A node's level comes from
 * the attestation service if {@code attestation_server} is configured, otherwise from the data that was registered with
 * the host; without either, it is {@code unknown}.
 * <br>Differs from nova: nova removed the filter in 2017. In nova, the level came only from an attestation service.
 * <br>Source: nova {@code scheduler/filters/trusted_filter.py} of the last release that had it.
 */
@Singleton
public final class TrustedFilter implements PreparedFilter, InsensitiveFilter {
    /** The extra spec with the required level; without it the filter accepts every node. */
    public static final String EXTRA_SPEC = "trust:trusted_host";

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        String requiredLevel = spec.flavor().extraSpecs().get(EXTRA_SPEC);
        return requiredLevel == null ? HostCheck.PASS : host -> compare(host, requiredLevel);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.extraSpec(EXTRA_SPEC));
    }

    private static Verdict compare(HostState host, String requiredLevel) {
        String level = host.trustLevel() == null ? "unknown" : host.trustLevel();
        return requiredLevel.equals(level)
                ? Verdict.PASS
                : Verdict.reject("trust", "trust level %s wanted, node is %s", requiredLevel, level);
    }
}
