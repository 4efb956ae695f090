package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;

/**
 * Compares the flavor's extra specs with the metadata of the host's aggregates. Specs of another scope are not looked
 * at; those without any scope are, even if they were meant for another filter.
 * <br>Source: nova {@code scheduler/filters/aggregate_instance_extra_specs.py}.
 */
@Singleton
public final class AggregateInstanceExtraSpecsFilter implements HostFilter, Repeatable {
    private static final String SCOPE = "aggregate_instance_extra_specs:";

    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        if (spec.flavor().extraSpecs().isEmpty()) {
            return Verdict.PASS;
        }
        Map<String, Set<String>> metadata = AggregateMetadata.itemsByKey(host);
        Verdict failed = null;
        for (Map.Entry<String, String> extraSpec : spec.flavor().extraSpecs().entrySet()) {
            String key = keyInMetadata(extraSpec.getKey());
            Verdict verdict = key == null ? Verdict.PASS : check(key, extraSpec.getValue(), metadata.get(key));
            if (verdict instanceof Verdict.Reject) {
                return verdict;
            }
            failed = verdict instanceof Verdict.Failed ? verdict : failed;
        }
        // Upstream's order is arbitrary: here a rejection outweighs a spec that cannot be evaluated.
        return failed == null ? Verdict.PASS : failed;
    }

    /** Null if the spec belongs to another scope. */
    private static @Nullable String keyInMetadata(String key) {
        if (key.startsWith(SCOPE)) {
            return key.substring(SCOPE.length());
        }
        return key.indexOf(':') < 0 ? key : null;
    }

    private static Verdict check(String key, String requirement, @Nullable Set<String> values) {
        if (values == null) {
            return Verdict.reject("extra_spec_missing", "extra spec %s: no aggregate has it", key);
        }
        boolean unusable = false;
        for (String value : values) {
            switch (ExtraSpecOperators.match(value, requirement)) {
                case YES -> {
                    return Verdict.PASS;
                }
                case NO -> {}
                case UNUSABLE -> unusable = true;
            }
        }
        return unusable
                ? new Verdict.Failed(
                        "extra spec %s: '%s' cannot be compared with %s".formatted(key, requirement, values))
                : Verdict.reject(
                        "extra_spec", "extra spec %s: '%s' not met by %s",
                        key, requirement, String.join(", ", values));
    }
}
