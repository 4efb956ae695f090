package io.berth.scheduler.filter;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostMembers;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.text.ValueText;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Compares the flavor's extra specs with members and statistics of the host. Rejects a host that lacks a demanded
 * value, or whose value does not meet the extra spec; a value that cannot be compared with the extra spec fails the
 * request. Compares all extra specs with the scope {@code capabilities}, and an extra spec without a scope if its key
 * is a member or statistic of the host. {@code hw:maxphysaddr_bits} is compared as the minimum of the physical address
 * bits in {@code cpu_info}. With the scope, a key may be a path, separated by colons, into a value that is an object or
 * the text of a JSON object, such as {@code cpu_info}.
 * <br>Source: nova {@code scheduler/filters/compute_capabilities_filter.py}.
 */
@Singleton
public final class ComputeCapabilitiesFilter implements PreparedFilter {
    /** The extra spec that is compared although its scope is not {@code capabilities}. */
    private static final String ADDRESS_BITS_SPEC = "hw:maxphysaddr_bits";
    /** The capability that the extra spec {@link #ADDRESS_BITS_SPEC} demands. */
    private static final String ADDRESS_BITS = "capabilities:cpu_info:maxphysaddr:bits";

    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public Sensitivity sensitivity() {
        return Sensitivity.CANDIDATES;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        List<Capability> capabilities = new ArrayList<>();
        spec.flavor().extraSpecs().forEach((name, requirement) -> {
            Capability capability = name.equals(ADDRESS_BITS_SPEC)
                    ? Capability.find(ADDRESS_BITS, ">= " + requirement)
                    : Capability.find(name, requirement);
            if (capability != null) {
                capabilities.add(capability);
            }
        });
        var texts = new ParsedTexts();
        return capabilities.isEmpty() ? HostCheck.PASS : host -> {
            for (Capability capability : capabilities) {
                Verdict verdict = capability.check(host, texts);
                if (verdict != Verdict.PASS) {
                    return verdict;
                }
            }
            return Verdict.PASS;
        };
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        String key = reason.values().get(2).toString();
        return key.equals(ADDRESS_BITS)
                ? Remedy.omitOneOf(RequestMember.extraSpec(key), RequestMember.extraSpec(ADDRESS_BITS_SPEC))
                : Remedy.omitOneOf(RequestMember.extraSpec(key));
    }

    /**
     * A condition on one value of the host.
     *
     * @param scoped whether the key has the scope {@code capabilities}; a key without a scope applies only if the host
     *         has a member or statistic of this name
     */
    private record Capability(String key, List<String> path, boolean scoped, ExtraSpecRequirement requirement) {
        /** Returns the condition of an extra spec; null if the extra spec has another scope. */
        static @Nullable Capability find(String key, String requirement) {
            List<String> parts = Arrays.asList(key.split(":", -1));
            boolean scoped = parts.size() > 1;
            return scoped && !parts.getFirst().equals("capabilities")
                    ? null
                    : new Capability(
                            key,
                            scoped ? parts.subList(1, parts.size()) : parts,
                            scoped,
                            ExtraSpecRequirement.parse(requirement));
        }

        Verdict check(HostState host, ParsedTexts texts) {
            if (!scoped && !HostMembers.isMember(key) && !host.stats().containsKey(key)) {
                return Verdict.PASS;
            }
            JsonNode capability = resolve(host, texts);
            if (capability == null) {
                return Verdict.reject("capability_missing", "capability %3$s: host has none", requirement.text(),
                        List.of(), key);
            }
            String value = ValueText.of(capability);
            return switch (requirement.match(value)) {
                case YES -> Verdict.PASS;
                case NO -> Verdict.reject(
                        "capability", "capability %3$s: '%1$s' not met by %2$s", requirement.text(), value, key);
                case UNUSABLE -> new Verdict.Failed(
                        "extra spec %s: '%s' cannot be compared with %s".formatted(key, requirement.text(), value));
            };
        }

        /** Returns the host's value at the path; null if the host has none or the value is JSON null. */
        private @Nullable JsonNode resolve(HostState host, ParsedTexts texts) {
            JsonNode node = HostMembers.find(host, path.getFirst());
            node = node == null ? host.stats().get(path.getFirst()) : node;
            for (int i = 1; i < path.size(); i++) {
                if (node != null && node.isTextual()) {
                    node = texts.parse(node.textValue());
                }
                node = node == null || !node.isObject() ? null : node.get(path.get(i));
            }
            return node == null || node.isNull() ? null : node;
        }
    }
}
