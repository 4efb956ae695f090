package io.berth.scheduler.filter;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostMembers;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.ValueText;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Compares the flavor's extra specs of scope {@code capabilities}, and those without scope that name a member of the
 * host state or one of its statistics, with the host's values. A path may lead into JSON text, as that of
 * {@code cpu_info}.
 * <br>Source: nova {@code scheduler/filters/compute_capabilities_filter.py}.
 */
@Singleton
public final class ComputeCapabilitiesFilter implements HostFilter, Repeatable {
    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        for (Map.Entry<String, String> extraSpec : spec.flavor().extraSpecs().entrySet()) {
            boolean addressBits = extraSpec.getKey().equals("hw:maxphysaddr_bits");
            String key = addressBits ? "capabilities:cpu_info:maxphysaddr:bits" : extraSpec.getKey();
            String requirement = addressBits ? ">= " + extraSpec.getValue() : extraSpec.getValue();
            List<String> path = path(key, host);
            Verdict verdict = path.isEmpty() ? Verdict.PASS : check(host, key, path, requirement);
            if (verdict != Verdict.PASS) {
                return verdict;
            }
        }
        return Verdict.PASS;
    }

    /** Empty if the spec is not about capabilities. */
    private static List<String> path(String key, HostState host) {
        List<String> parts = Arrays.asList(key.split(":", -1));
        if (parts.size() > 1) {
            return parts.getFirst().equals("capabilities") ? parts.subList(1, parts.size()) : List.of();
        }
        return HostMembers.isMember(key) || host.stats().containsKey(key) ? parts : List.of();
    }

    private static Verdict check(HostState host, String key, List<String> path, String requirement) {
        JsonNode capability = resolve(host, path);
        if (capability == null) {
            return Verdict.reject("capability_missing", "capability %s: host has none", key);
        }
        String value = ValueText.of(capability);
        return switch (ExtraSpecOperators.match(value, requirement)) {
            case YES -> Verdict.PASS;
            case NO -> Verdict.reject("capability", "capability %s: '%s' not met by %s", key, requirement, value);
            case UNUSABLE -> new Verdict.Failed(
                    "extra spec %s: '%s' cannot be compared with %s".formatted(key, requirement, value));
        };
    }

    private static @Nullable JsonNode resolve(HostState host, List<String> path) {
        JsonNode found = HostMembers.find(host, path.getFirst());
        found = found == null ? host.stats().get(path.getFirst()) : found;
        for (String part : path.subList(1, path.size())) {
            if (found != null && found.isTextual()) {
                found = HostJson.parse(found.textValue());
            }
            found = found == null || !found.isObject() ? null : found.get(part);
        }
        return found == null || found.isNull() ? null : found;
    }
}
