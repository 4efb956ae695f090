package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Verdict;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the flavor's extra specs with the metadata of the host's aggregates. Specs of other scopes are ignored.
 * Specs without a scope are compared, even if they are meant for another filter.
 * <br>Differs from nova: nova compares specs and values in arbitrary order. Here a value that matches outweighs one
 * that cannot be compared, and a rejection outweighs a spec that cannot be evaluated.
 * <br>Source: nova {@code scheduler/filters/aggregate_instance_extra_specs.py}.
 */
@Singleton
public final class AggregateInstanceExtraSpecsFilter implements PreparedFilter, HeedsNothing {
    private static final String SCOPE = "aggregate_instance_extra_specs:";

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        // The list keeps the flavor's order; two specs may name one key.
        List<Map.Entry<String, ExtraSpecRequirement>> asked = new ArrayList<>();
        spec.flavor().extraSpecs().forEach((name, requirement) -> {
            String key = keyInMetadata(name);
            if (key != null) {
                asked.add(Map.entry(key, ExtraSpecRequirement.parse(requirement)));
            }
        });
        return asked.isEmpty() ? HostCheck.PASS : HostCheck.byAggregates(host -> compare(host, asked));
    }

    private static Verdict compare(HostState host, List<Map.Entry<String, ExtraSpecRequirement>> asked) {
        Map<String, Set<String>> metadata = AggregateMetadata.itemsByKey(host);
        Verdict failed = null;
        for (Map.Entry<String, ExtraSpecRequirement> each : asked) {
            Verdict verdict = compare(each.getKey(), each.getValue(), metadata.get(each.getKey()));
            if (verdict instanceof Verdict.Reject) {
                return verdict;
            }
            failed = verdict instanceof Verdict.Failed ? verdict : failed;
        }
        // A rejection outweighs a spec that cannot be evaluated; nova returns whichever it finds first.
        return failed == null ? Verdict.PASS : failed;
    }

    /** Returns null if the spec belongs to another scope. */
    private static @Nullable String keyInMetadata(String key) {
        if (key.startsWith(SCOPE)) {
            return key.substring(SCOPE.length());
        }
        return key.indexOf(':') < 0 ? key : null;
    }

    private static Verdict compare(
            String key, ExtraSpecRequirement requirement, @Nullable Set<String> values) {
        if (values == null) {
            return Verdict.reject("extra_spec_missing", "extra spec %3$s: no aggregate has it", requirement.text(), List.of(), key);
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
