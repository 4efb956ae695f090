package io.berth.scheduler.request.query;

import io.berth.model.StandardResourceClasses;
import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.numa.constraint.CpuPolicies;
import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.TranslationOptions;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.IntegerText;
import jakarta.annotation.Nullable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * The request groups of a query while the query is built: the unsuffixed group, the suffixed groups of the flavor's
 * extra specs, and groups that the request itself contains (for example, those of ports). {@link #build} creates and
 * fills the object; then the caller adds the destination and the aggregates, and renders the query.
 * <br>Source: nova {@code scheduler/utils.py} (ResourceRequest).
 */
final class GroupDrafts {
    private static final Logger LOG = Logger.getLogger(GroupDrafts.class);
    private static final Pattern GROUP_KEY = Pattern.compile("(resources|trait)([a-zA-Z0-9_-]{1,64})?:(.*)");
    private static final long MIB_PER_GIB = 1024;
    static final String UNSUFFIXED = "";

    final Map<String, GroupDraft> bySuffix = new TreeMap<>();
    /** The group policy of the flavor; null if it states none or an unknown one. */
    @Nullable String groupPolicy;
    /** The number of suffixed groups of the flavor's extra specs, including empty groups, which are dropped later. */
    int flavorGroupCount;
    /** True if the CPU policy dedicated added PCPU, so that a second query may find hosts that do not report PCPU. */
    boolean pinningRequested;

    private final PlacementRequest request;
    private final FlavorAndImage source;

    private GroupDrafts(PlacementRequest request) {
        this.request = request;
        this.source = request.flavorAndImage();
        bySuffix.put(UNSUFFIXED, new GroupDraft());
    }

    /**
     * Builds all groups. Returns a refusal if the flavor, the image or a group is invalid.
     *
     * @param translatePinning whether to request PCPU for the CPU policies dedicated and mixed, and to translate the
     *         thread policy to a trait; false for the fallback query, which requests VCPU instead, and no such trait
     */
    static DerivedValue<GroupDrafts> build(PlacementRequest request, boolean translatePinning,
            TranslationOptions options) {
        GroupDrafts drafts = new GroupDrafts(request);
        drafts.addExtraSpecs();
        drafts.flavorGroupCount = drafts.suffixedGroupCount();
        drafts.addImageTraits();
        return drafts.addPinning(translatePinning)
                .then(ignored -> drafts.addOutsideGroups())
                .then(ignored -> {
                    drafts.addFlavorDefaults();
                    return FeatureTranslations.apply(drafts.source, drafts.unsuffixed(), options);
                })
                .then(ignored -> {
                    drafts.dropEmpty();
                    return drafts.checkSubtrees();
                });
    }

    /** Returns the unsuffixed group. Creates it if it was dropped because it was empty. */
    GroupDraft unsuffixed() {
        return bySuffix.computeIfAbsent(UNSUFFIXED, suffix -> new GroupDraft());
    }

    int suffixedGroupCount() {
        return bySuffix.size() - (bySuffix.containsKey(UNSUFFIXED) ? 1 : 0);
    }

    /** Returns the required traits of all groups. */
    Set<String> requiredTraits() {
        Set<String> traits = new TreeSet<>();
        bySuffix.values().forEach(group -> traits.addAll(group.requiredTraits));
        return traits;
    }

    private GroupDraft group(String suffix) {
        return bySuffix.computeIfAbsent(suffix == null ? UNSUFFIXED : suffix, _ -> new GroupDraft());
    }

    private void addExtraSpecs() {
        source.extraSpecs().forEach((key, value) -> {
            if (key.equals("group_policy")) {
                addGroupPolicy(value);
                return;
            }
            Matcher match = GROUP_KEY.matcher(key);
            if (!match.matches()) {
                return;
            }
            if (match.group(1).equals("resources")) {
                addResource(match.group(2), match.group(3), value);
            } else {
                addTrait(match.group(2), match.group(3), value);
            }
        });
    }

    private void addGroupPolicy(String value) {
        if (value.equals("none") || value.equals("isolate")) {
            groupPolicy = value;
        } else {
            LOG.debugf("extra spec ignored key=group_policy value=%s", value);
        }
    }

    private void addResource(String suffix, String resourceClass, String value) {
        // Creates the group even if the extra spec is ignored, because nova counts the group when it checks the group
        // policy.
        GroupDraft group = group(suffix);
        Long amount = IntegerText.parse(value);
        boolean isKnown = resourceClass.startsWith("CUSTOM_") || StandardResourceClasses.NAMES.contains(resourceClass);
        if (isKnown && amount != null && amount >= 0) {
            group.resources.put(resourceClass, amount);
        } else {
            LOG.debugf("extra spec ignored resource_class=%s value=%s", resourceClass, value);
        }
    }

    private void addTrait(String suffix, String trait, String value) {
        GroupDraft group = group(suffix);
        switch (value) {
            case "required" -> group.requiredTraits.add(trait);
            case "forbidden" -> group.forbiddenTraits.add(trait);
            default -> LOG.debugf("extra spec ignored trait=%s value=%s", trait, value);
        }
    }

    private void addImageTraits() {
        if (source.imageProperties().get("traits_required") instanceof Collection<?> traits) {
            traits.forEach(trait -> unsuffixed().requiredTraits.add(trait.toString()));
        }
    }

    private DerivedValue<Void> addPinning(boolean translate) {
        return CpuPolicies.read(source).then(policies -> {
            if (translate) {
                if (CpuPolicy.pins(policies.policy())) {
                    translatePinning(policies);
                }
                translateThreads(policies.threadPolicy());
            }
            return new DerivedValue.Value<>(null);
        });
    }

    private void translatePinning(CpuPolicies policies) {
        int vcpus = source.vcpus();
        long pinned = policies.pinnedVcpuCount(vcpus);
        Map<String, Long> resources = unsuffixed().resources;
        if (policies.policy() == CpuPolicy.MIXED) {
            resources.put("VCPU", vcpus - pinned);
        } else {
            pinningRequested = true;
        }
        long emulatorPcpus = policies.emulatorThreads() == EmulatorThreadsPolicy.ISOLATE ? 1 : 0;
        resources.put("PCPU", pinned + emulatorPcpus);
    }

    /**
     * Forbids hyperthreading for the thread policy isolate, and requires it for the thread policy require. The CPU
     * policy is irrelevant here, because a flavor may request PCPU directly without a CPU policy.
     */
    private void translateThreads(@Nullable CpuThreadPolicy policy) {
        if (policy == CpuThreadPolicy.ISOLATE) {
            unsuffixed().forbiddenTraits.add("HW_CPU_HYPERTHREADING");
        } else if (policy == CpuThreadPolicy.REQUIRE) {
            unsuffixed().requiredTraits.add("HW_CPU_HYPERTHREADING");
        }
    }

    private DerivedValue<Void> addOutsideGroups() {
        for (OutsideGroup outside : request.outsideGroups()) {
            String suffix = outside.requesterId();
            if (suffix == null || suffix.isEmpty()) {
                return new DerivedValue.Refused<>("a requested resource group has no requester_id");
            }
            if (outside.isEmpty()) {
                return new DerivedValue.Refused<>("requested resource group " + suffix + " is empty");
            }
            if (bySuffix.containsKey(suffix)) {
                return new DerivedValue.Refused<>("requested resource group " + suffix + " occurs twice");
            }
            GroupDraft group = group(suffix);
            group.resources.putAll(outside.resources());
            group.requiredTraits.addAll(outside.requiredTraits());
            group.forbiddenTraits.addAll(outside.forbiddenTraits());
            group.memberOf.addAll(outside.aggregates());
            group.inTree = outside.inTree();
        }
        return new DerivedValue.Value<>(null);
    }

    /**
     * Adds the flavor's virtual CPUs, memory and disk, except those that a group requests already, even with the amount
     * 0. A request for PCPU counts as one for virtual CPUs. A root disk that is a volume is not added.
     */
    private void addFlavorDefaults() {
        Set<String> present = new TreeSet<>();
        bySuffix.values().forEach(group -> present.addAll(group.resources.keySet()));
        Map<String, Long> resources = unsuffixed().resources;
        if (!present.contains("VCPU") && !present.contains("PCPU")) {
            resources.put("VCPU", (long) source.vcpus());
        }
        if (!present.contains("MEMORY_MB")) {
            resources.put("MEMORY_MB", source.memoryMb());
        }
        long diskGb = request.ephemeralGb()
                + Math.ceilDiv(request.swapMb(), MIB_PER_GIB)
                + (request.bootFromVolume() ? 0 : request.rootGb());
        if (!present.contains("DISK_GB") && diskGb > 0) {
            resources.put("DISK_GB", diskGb);
        }
    }

    /**
     * Returns this object; a refusal if {@code same_subtree} names a group that the query does not have, because
     * placement would reject the query.
     */
    private DerivedValue<GroupDrafts> checkSubtrees() {
        return request.sameSubtree().stream()
                .flatMap(List::stream)
                .filter(suffix -> !bySuffix.containsKey(suffix))
                .findFirst()
                .<DerivedValue<GroupDrafts>>map(suffix -> new DerivedValue.Refused<>(
                        "same_subtree names group " + suffix + ", which the request does not have"))
                .orElseGet(() -> new DerivedValue.Value<>(this));
    }

    private void dropEmpty() {
        bySuffix.values().forEach(group -> group.resources.values().removeIf(amount -> amount == 0));
        bySuffix.values().removeIf(GroupDraft::isEmpty);
    }
}
