package io.berth.scheduler.numa.constraint;

import io.berth.scheduler.numa.CpuList;
import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.text.BooleanText;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.Violations;
import jakarta.annotation.Nullable;

/**
 * The CPU policies that a flavor and an image state. Each policy is valid by itself; {@link PolicyConsistency} checks
 * them together, and returns a copy with the policies that explicit resources and traits imply. The query to placement
 * is built from the stated policies.
 * <br>Source: nova {@code virt/hardware.py} (the get_*_constraint functions).
 *
 * @param policy null if neither flavor nor image states one
 * @param threadPolicy null if neither flavor nor image states one
 * @param emulatorThreads null if the flavor states none
 * @param dedicatedMask virtual CPUs to pin, at least one and not all of the flavor's; null if the flavor states none.
 *         In the copy of {@link PolicyConsistency}, all virtual CPUs to pin; never null
 * @param realtimeMask virtual CPUs to run in real time, at least one; null if real time is not requested
 */
public record CpuPolicies(
        @Nullable CpuPolicy policy,
        @Nullable CpuThreadPolicy threadPolicy,
        @Nullable EmulatorThreadsPolicy emulatorThreads,
        @Nullable CpuSet dedicatedMask,
        @Nullable CpuSet realtimeMask) {

    /**
     * Returns the stated policies. The refusal lists all policies that are invalid, or on which flavor and image
     * contradict each other.
     */
    public static DerivedValue<CpuPolicies> read(FlavorAndImage request) {
        var violations = new Violations();
        EmulatorThreadsPolicy emulatorThreads = emulatorThreads(request, violations);
        var policies = new CpuPolicies(
                policy(request, violations),
                threadPolicy(request, violations),
                emulatorThreads,
                dedicatedMask(request, violations),
                realtimeMask(request, emulatorThreads, violations));
        return violations.orValue(policies);
    }

    /**
     * Returns the number of virtual CPUs that get a host CPU of their own. Does not count a CPU for the emulator
     * threads.
     *
     * @param vcpus number of virtual CPUs of the flavor
     */
    public int pinnedVcpuCount(int vcpus) {
        return switch (policy) {
            case DEDICATED -> vcpus;
            case MIXED -> dedicatedMask != null ? dedicatedMask.size() : realtimeMask != null ? realtimeMask.size() : 0;
            case SHARED -> 0;
            case null -> 0;
        };
    }

    private static @Nullable CpuPolicy policy(FlavorAndImage request, Violations violations) {
        String flavorText = request.flavor("hw:cpu_policy");
        String imageText = request.image("hw_cpu_policy");
        CpuPolicy flavor = CpuPolicy.find(flavorText);
        CpuPolicy image = CpuPolicy.find(imageText);
        if (flavorText != null && flavor == null) {
            violations.add("hw:cpu_policy must be shared, dedicated or mixed");
        }
        if (imageText != null && image == null) {
            violations.add("hw_cpu_policy must be shared, dedicated or mixed");
        }
        if (flavor == null) {
            return image;
        }
        boolean imageDisagrees =
                switch (flavor) {
                    case DEDICATED -> false;
                    case MIXED -> image == CpuPolicy.DEDICATED;
                    case SHARED -> CpuPolicy.pins(image);
                };
        if (imageDisagrees) {
            violations.add("hw_cpu_policy %s of the image contradicts hw:cpu_policy %s of the flavor"
                    .formatted(imageText, flavorText));
        }
        return flavor;
    }

    private static @Nullable CpuThreadPolicy threadPolicy(FlavorAndImage request, Violations violations) {
        String flavorText = request.flavor("hw:cpu_thread_policy");
        String imageText = request.image("hw_cpu_thread_policy");
        CpuThreadPolicy flavor = CpuThreadPolicy.find(flavorText);
        CpuThreadPolicy image = CpuThreadPolicy.find(imageText);
        if (flavorText != null && flavor == null) {
            violations.add("hw:cpu_thread_policy must be prefer, isolate or require");
        }
        if (imageText != null && image == null) {
            violations.add("hw_cpu_thread_policy must be prefer, isolate or require");
        }
        if (flavor == null) {
            return image;
        }
        // A flavor's "prefer" overrides the image's value, as in nova.
        if (flavor != CpuThreadPolicy.PREFER && image != null && image != flavor) {
            violations.add("hw_cpu_thread_policy %s of the image contradicts hw:cpu_thread_policy %s of the flavor"
                    .formatted(imageText, flavorText));
        }
        return flavor;
    }

    private static @Nullable EmulatorThreadsPolicy emulatorThreads(FlavorAndImage request, Violations violations) {
        String text = request.flavor("hw:emulator_threads_policy");
        EmulatorThreadsPolicy policy = EmulatorThreadsPolicy.find(text);
        if (text != null && policy == null) {
            violations.add("hw:emulator_threads_policy must be isolate or share");
        }
        return policy;
    }

    private static @Nullable CpuSet dedicatedMask(FlavorAndImage request, Violations violations) {
        String text = request.flavor("hw:cpu_dedicated_mask");
        if (text == null) {
            return null;
        }
        CpuSet mask = violations.valueOf(CpuList.parseMask(text, request.vcpus()));
        if (mask != null && (mask.isEmpty() || !isWithin(mask, request) || mask.size() >= request.vcpus())) {
            violations.add("hw:cpu_dedicated_mask must name at least one and not all of the %d virtual CPUs"
                    .formatted(request.vcpus()));
        }
        return mask;
    }

    private static @Nullable CpuSet realtimeMask(
            FlavorAndImage request, @Nullable EmulatorThreadsPolicy emulatorThreads, Violations violations) {
        if (!BooleanText.isTrue(request.flavor("hw:cpu_realtime"))) {
            return null;
        }
        String image = request.image("hw_cpu_realtime_mask");
        String text = image != null ? image : request.flavor("hw:cpu_realtime_mask");
        String property = image != null ? "hw_cpu_realtime_mask" : "hw:cpu_realtime_mask";
        CpuSet mask = text == null
                ? CpuSet.range(0, Math.min(request.vcpus(), CpuSet.CPU_MAX + 1))
                : violations.valueOf(CpuList.parseMask(text, request.vcpus()));
        if (mask == null) {
            return null;
        }
        if (mask.isEmpty() || !isWithin(mask, request)) {
            violations.add("%s must name at least one virtual CPU, and only CPUs of the flavor's %d"
                    .formatted(property, request.vcpus()));
        } else if (mask.size() == request.vcpus() && emulatorThreads == null) {
            violations.add(property
                    + " must leave out at least one virtual CPU, unless hw:emulator_threads_policy is set");
        }
        return mask;
    }

    private static boolean isWithin(CpuSet mask, FlavorAndImage request) {
        return mask.stream().allMatch(cpu -> cpu < request.vcpus());
    }
}
