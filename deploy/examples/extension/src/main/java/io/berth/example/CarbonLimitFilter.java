package io.berth.example;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Rejects hosts whose power has a higher carbon intensity than the flavor's extra spec {@code carbon:max_grams_per_kwh}
 * allows. Also rejects hosts of unknown carbon intensity. A flavor without the extra spec passes on every host. If the
 * value of the extra spec is not a number, the whole request fails.
 */
@Singleton
public final class CarbonLimitFilter implements HostFilter {
    private static final String EXTRA_SPEC = "carbon:max_grams_per_kwh";
    private static final Verdict UNKNOWN =
            Verdict.reject("carbon_unknown", "no aggregate of the host states %s, or one states no number",
                    Carbon.METADATA_KEY);

    @Override
    public boolean runsOncePerRequest() {
        // The verdict depends only on the host's aggregates and the flavor, which are the same for all instances.
        return true;
    }

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        String limitText = spec.flavor().extraSpecs().get(EXTRA_SPEC);
        if (limitText == null) {
            return Verdict.PASS;
        }
        double limit;
        try {
            limit = Double.parseDouble(limitText);
        } catch (NumberFormatException e) {
            return new Verdict.Failed("extra spec %s: '%s' is no number".formatted(EXTRA_SPEC, limitText));
        }
        double grams = Carbon.gramsPerKwh(host);
        if (Double.isNaN(grams)) {
            return UNKNOWN;
        }
        return grams <= limit
                ? Verdict.PASS
                : Verdict.lacking(grams - limit, "carbon", "emits %.0f g/kWh, flavor allows %.0f", grams, limit);
    }

    /**
     * Proposes two changes of the request: a limit that the host meets, and no limit. Proposes only the latter if the
     * carbon intensity of the host is unknown.
     */
    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        RequestMember limit = RequestMember.extraSpec(EXTRA_SPEC);
        Remedy omission = new Remedy.Omit(List.of(limit));
        double grams = Carbon.gramsPerKwh(host);
        return Double.isNaN(grams)
                ? List.of(omission)
                : List.of(new Remedy.Replace(limit, Long.toString((long) Math.ceil(grams))), omission);
    }
}
