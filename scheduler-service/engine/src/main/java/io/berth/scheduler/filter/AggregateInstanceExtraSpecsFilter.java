package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the flavor's extra specs with the metadata of the host's aggregates. Compares extra specs with the scope
 * {@code aggregate_instance_extra_specs}, and all extra specs without a scope, even if another filter reads them.
 * Rejects a host if no aggregate has the key, or if none of the values that the aggregates have for the key, separated
 * by commas, meets the extra spec. If none meets it and one of them cannot be compared with it, the request fails.
 * <br>Differs from nova: nova compares extra specs and values in arbitrary order, and stops at the first result. Here a
 * matching value takes precedence over a value that cannot be compared, and the rejection by one extra spec over the
 * failure of another.
 * <br>Source: nova {@code scheduler/filters/aggregate_instance_extra_specs.py}.
 */
@Singleton
public final class AggregateInstanceExtraSpecsFilter implements PreparedFilter, InsensitiveFilter {
    private static final String SCOPE = "aggregate_instance_extra_specs:";

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        // A list keeps the flavor's order, and two extra specs may have the same key.
        List<Map.Entry<String, ExtraSpecRequirement>> requirements = new ArrayList<>();
        spec.flavor().extraSpecs().forEach((name, requirement) -> {
            String key = keyInMetadata(name);
            if (key != null) {
                requirements.add(Map.entry(key, ExtraSpecRequirement.parse(requirement)));
            }
        });
        return requirements.isEmpty() ? HostCheck.PASS : HostCheck.byAggregates(host -> compare(host, requirements));
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        String key = reason.values().get(2).toString();
        return Remedy.omitOneOf(RequestMember.extraSpec(key), RequestMember.extraSpec(SCOPE + key));
    }

    private static Verdict compare(HostState host, List<Map.Entry<String, ExtraSpecRequirement>> requirements) {
        Map<String, Set<String>> metadata = AggregateMetadata.itemsByKey(host);
        Verdict failed = null;
        for (Map.Entry<String, ExtraSpecRequirement> each : requirements) {
            Verdict verdict = compare(each.getKey(), each.getValue(), metadata.get(each.getKey()));
            if (verdict instanceof Verdict.Reject) {
                return verdict;
            }
            failed = verdict instanceof Verdict.Failed ? verdict : failed;
        }
        // A rejection takes precedence over an extra spec that cannot be evaluated. Nova returns the first of the two
        // that it meets.
        return failed == null ? Verdict.PASS : failed;
    }

    /**
     * Returns the key of the metadata with which to compare an extra spec; null if the extra spec has another scope.
     */
    private static @Nullable String keyInMetadata(String key) {
        if (key.startsWith(SCOPE)) {
            return key.substring(SCOPE.length());
        }
        return key.indexOf(':') < 0 ? key : null;
    }

    private static Verdict compare(
            String key, ExtraSpecRequirement requirement, @Nullable Set<String> values) {
        if (values == null) {
            return Verdict.reject("extra_spec_missing", "extra spec %3$s: no aggregate has it", requirement.text(),
                    List.of(), key);
        }
        boolean unusable = false;
        for (String value : values) {
            switch (requirement.match(value)) {
                case YES -> {
                    return Verdict.PASS;
                }
                case NO -> {}
                case UNUSABLE -> unusable = true;
            }
        }
        return unusable
                ? new Verdict.Failed(
                        "extra spec %s: '%s' cannot be compared with %s".formatted(key, requirement.text(), values))
                : Verdict.reject(
                        "extra_spec", "extra spec %3$s: '%1$s' not met by %2$s",
                        requirement.text(), values, key);
    }
}
