package io.berth.scheduler.pci;

import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.IntegerText;
import io.berth.scheduler.text.Violations;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Derives the PCI requests of a flavor, which names aliases and counts: {@code pci_passthrough:alias = gpu:1,nic:2}.
 * <br>Source: nova {@code pci/request.py}, {@code virt/hardware.py} (get_pci_numa_policy_constraint).
 */
public final class PciConstraints {
    /**
     * Maximum number of requests of one flavor, which bounds the work that a hostile flavor can cause; more are
     * refused.
     */
    static final int REQUESTS_MAX = 256;

    private static final String ALIAS = "pci_passthrough:alias";

    private PciConstraints() {}

    /**
     * Returns the requests in the order of the extra spec; an empty list without the extra spec. Refuses an unknown
     * alias, an item that is not {@code name:count}, more than {@value #REQUESTS_MAX} items, and an invalid or
     * contradictory NUMA policy. Refuses invalid configured aliases, but only if the flavor uses an alias.
     *
     * @param requestIds creates an id for each request
     */
    public static DerivedValue<List<PciRequest>> derive(
            FlavorAndImage request, DerivedValue<PciAliases> aliases, Supplier<String> requestIds) {
        return numaPolicy(request).then(policy -> {
            String text = request.extraSpecs().get(ALIAS);
            return text == null
                    ? new DerivedValue.Value<>(List.of())
                    : aliases.then(known -> parseRequests(text, policy, known, requestIds));
        });
    }

    /**
     * Returns the NUMA policy of the flavor or the image; a null value if neither states one, so that the policy of
     * each alias applies.
     */
    public static DerivedValue<PciNumaPolicy> numaPolicy(FlavorAndImage request) {
        String flavor = request.flavor("hw:pci_numa_affinity_policy");
        String image = request.image("hw_pci_numa_affinity_policy");
        var violations = new Violations();
        if (flavor != null && image != null && !flavor.equals(image)) {
            violations.add(
                    "hw:pci_numa_affinity_policy of the flavor and hw_pci_numa_affinity_policy of the image differ");
        }
        String policyText = flavor != null ? flavor : image;
        PciNumaPolicy policy = PciNumaPolicy.find(policyText);
        if (policyText != null && policy == null) {
            violations.add("the PCI NUMA affinity policy must be required, legacy, preferred or socket");
        }
        return violations.orValue(policy);
    }

    private static DerivedValue<List<PciRequest>> parseRequests(
            String text, @Nullable PciNumaPolicy policy, PciAliases aliases, Supplier<String> requestIds) {
        String[] items = text.split(",", -1);
        if (items.length > REQUESTS_MAX) {
            return new DerivedValue.Refused<>("%s has more than %d items".formatted(ALIAS, REQUESTS_MAX));
        }
        var violations = new Violations();
        var requests = new ArrayList<PciRequest>();
        for (String item : items) {
            String[] parts = item.split(":", -1);
            Long count = parts.length == 2 ? IntegerText.parse(parts[1]) : null;
            if (count == null || count != count.intValue()) {
                violations.add("'%s' in %s is not name:count".formatted(item, ALIAS));
                continue;
            }
            PciAlias alias = aliases.byName().get(parts[0].strip());
            if (alias == null) {
                violations.add("PCI alias '%s' is not defined".formatted(parts[0].strip()));
                continue;
            }
            requests.add(new PciRequest(
                    requestIds.get(),
                    count.intValue(),
                    alias.spec(),
                    alias.name(),
                    policy != null ? policy : alias.numaPolicy()));
        }
        return violations.orValue(List.copyOf(requests));
    }
}
