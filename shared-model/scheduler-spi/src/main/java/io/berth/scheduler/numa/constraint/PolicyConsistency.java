package io.berth.scheduler.numa.constraint;

import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.IntegerText;
import io.berth.scheduler.text.Violations;
import jakarta.annotation.Nullable;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that the CPU policies that a flavor and an image state are consistent with each other and with explicit
 * resources and traits, which may imply a policy, too. In the result, the dedicated mask is never null and contains all
 * virtual CPUs to pin.
 * <br>Source: nova {@code virt/hardware.py} (numa_get_constraints).
 */
final class PolicyConsistency {
    private static final Pattern RESOURCES = Pattern.compile("resources([1-9][0-9]*)?:(VCPU|PCPU)");
    private static final Pattern HYPERTHREADING = Pattern.compile("trait([1-9][0-9]*)?:HW_CPU_HYPERTHREADING");

    private PolicyConsistency() {}

    static DerivedValue<CpuPolicies> check(FlavorAndImage request, CpuPolicies stated) {
        var violations = new Violations();
        CpuPolicy policy = policy(request, stated, violations);
        CpuThreadPolicy threadPolicy = threadPolicy(request, stated.threadPolicy(), violations);
        CpuSet dedicated = dedicatedCpus(request, policy, threadPolicy, stated, violations);
        return violations.orValue(new CpuPolicies(
                policy, threadPolicy, stated.emulatorThreads(), dedicated, stated.realtimeMask()));
    }

    private static @Nullable CpuPolicy policy(FlavorAndImage request, CpuPolicies stated, Violations violations) {
        long vcpuAmount = sumAmounts(request, "VCPU");
        long pcpuAmount = sumAmounts(request, "PCPU");
        if (vcpuAmount == 0 && pcpuAmount == 0) {
            return stated.policy();
        }
        if (vcpuAmount != 0 && pcpuAmount != 0) {
            violations.add("the flavor must not ask for VCPU and PCPU resources at once");
            return stated.policy();
        }
        if (stated.policy() != null) {
            violations.add("a cpu policy and explicit VCPU or PCPU resources exclude each other");
        }
        if (vcpuAmount != 0) {
            return CpuPolicy.SHARED;
        }
        boolean isolatesEmulator = stated.emulatorThreads() == EmulatorThreadsPolicy.ISOLATE;
        long expected = isolatesEmulator ? request.vcpus() + 1L : request.vcpus();
        if (pcpuAmount != expected) {
            violations.add("the flavor asks for %d PCPU, its virtual CPUs and emulator threads need %d"
                    .formatted(pcpuAmount, expected));
        }
        return CpuPolicy.DEDICATED;
    }

    /**
     * Returns the sum of the amounts of a resource class in the unsuffixed and the numbered request groups of the extra
     * specs; groups with another suffix do not count. Skips amounts that are not integers, because the query to
     * placement lacks them, too.
     */
    private static long sumAmounts(FlavorAndImage request, String resourceClass) {
        long sum = 0;
        for (Map.Entry<String, String> spec : request.extraSpecs().entrySet()) {
            Matcher key = RESOURCES.matcher(spec.getKey());
            Long amount =
                    key.matches() && key.group(2).equals(resourceClass) ? IntegerText.parse(spec.getValue()) : null;
            sum += amount == null ? 0 : amount;
        }
        return sum;
    }

    private static @Nullable CpuThreadPolicy threadPolicy(
            FlavorAndImage request, @Nullable CpuThreadPolicy stated, Violations violations) {
        String demand = findHyperthreadingDemand(request);
        if (demand == null) {
            return stated;
        }
        if (stated != null) {
            violations.add("a cpu thread policy and the trait HW_CPU_HYPERTHREADING exclude each other");
        }
        return switch (demand) {
            case "forbidden" -> CpuThreadPolicy.ISOLATE;
            case "required" -> CpuThreadPolicy.REQUIRE;
            default -> stated;
        };
    }

    /**
     * Returns the demand on the trait HW_CPU_HYPERTHREADING, such as required or forbidden: the first demand of the
     * flavor (null if its text is empty), or else the demand of the image; null if there is none.
     */
    private static @Nullable String findHyperthreadingDemand(FlavorAndImage request) {
        for (String key : request.extraSpecs().keySet()) {
            if (HYPERTHREADING.matcher(key).matches()) {
                return request.flavor(key);
            }
        }
        boolean imageRequires = request.imageProperties().get("traits_required") instanceof Collection<?> traits
                && traits.contains("HW_CPU_HYPERTHREADING");
        return imageRequires ? "required" : null;
    }

    private static CpuSet dedicatedCpus(
            FlavorAndImage request,
            @Nullable CpuPolicy policy,
            @Nullable CpuThreadPolicy threadPolicy,
            CpuPolicies stated,
            Violations violations) {
        CpuSet mask = stated.dedicatedMask();
        return switch (policy) {
            case DEDICATED -> {
                if (mask != null) {
                    violations.add("hw:cpu_dedicated_mask needs cpu policy mixed");
                }
                // NumaConstraints refuses flavors with more virtual CPUs.
                yield CpuSet.range(0, Math.min(request.vcpus(), CpuSet.CPU_MAX + 1));
            }
            case MIXED -> {
                if ((mask == null) == (stated.realtimeMask() == null)) {
                    violations.add("cpu policy mixed needs either hw:cpu_dedicated_mask or hw:cpu_realtime");
                    yield CpuSet.EMPTY;
                }
                yield mask != null ? mask : stated.realtimeMask();
            }
            case SHARED -> requireNoPinning(threadPolicy, stated, violations);
            case null -> requireNoPinning(threadPolicy, stated, violations);
        };
    }

    /** Returns the empty set. Adds a violation for each stated policy that needs pinned virtual CPUs. */
    private static CpuSet requireNoPinning(
            @Nullable CpuThreadPolicy threadPolicy, CpuPolicies stated, Violations violations) {
        if (threadPolicy != null) {
            violations.add("a cpu thread policy needs cpu policy dedicated or mixed");
        }
        if (stated.emulatorThreads() == EmulatorThreadsPolicy.ISOLATE) {
            violations.add("hw:emulator_threads_policy isolate needs cpu policy dedicated or mixed");
        }
        if (stated.dedicatedMask() != null) {
            violations.add("hw:cpu_dedicated_mask needs cpu policy mixed");
        }
        if (stated.realtimeMask() != null) {
            violations.add("hw:cpu_realtime needs cpu policy dedicated or mixed");
        }
        return CpuSet.EMPTY;
    }
}
