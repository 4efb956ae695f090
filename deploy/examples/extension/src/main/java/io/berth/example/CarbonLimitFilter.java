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
 * allows. A host of unknown carbon intensity is rejected. A flavor without the extra spec passes on every host.
 */
@Singleton
public final class CarbonLimitFilter implements HostFilter {
    private static final String EXTRA_SPEC = "carbon:max_grams_per_kwh";
    private static final Verdict UNKNOWN =
            Verdict.reject("carbon_unknown", "no aggregate of the host states %s", Carbon.METADATA_KEY);

    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        String stated = spec.flavor().extraSpecs().get(EXTRA_SPEC);
        if (stated == null) {
            return Verdict.PASS;
        }
        double limit;
        try {
            limit = Double.parseDouble(stated);
        } catch (NumberFormatException notANumber) {
            return new Verdict.Failed("extra spec %s: '%s' is no number".formatted(EXTRA_SPEC, stated));
        }
        double grams = Carbon.gramsPerKwh(host);
        if (Double.isNaN(grams)) {
            return UNKNOWN;
        }
        return grams <= limit
                ? Verdict.PASS
                : Verdict.lacking(grams - limit, "carbon", "emits %.0f g/kWh, flavor allows %.0f", grams, limit);
    }

    /** Proposes a limit that the host meets, or no limit. */
    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        RequestMember limit = RequestMember.extraSpec(EXTRA_SPEC);
        Remedy none = new Remedy.Omit(List.of(limit));
        double grams = Carbon.gramsPerKwh(host);
        return Double.isNaN(grams)
                ? List.of(none)
                : List.of(new Remedy.Replace(limit, Long.toString((long) Math.ceil(grams))), none);
    }
}
