package io.berth.scheduler.pci;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.constraint.NumaConstraints;
import io.berth.scheduler.text.DerivedValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that every flavor and image leads to a topology or a refusal, and never to an exception. */
class HostileFlavorTest {
    private static final int SEEDS = 30_000;
    private static final List<String> FLAVOR_KEYS = List.of(
            "hw:cpu_policy", "hw:cpu_thread_policy", "hw:emulator_threads_policy", "hw:cpu_dedicated_mask",
            "hw:cpu_realtime", "hw:cpu_realtime_mask", "hw:mem_page_size", "hw:numa_nodes", "hw:numa_cpus.0",
            "hw:numa_mem.0", "hw:locked_memory", "hw:pmem", "resources:PCPU", "resources1:VCPU",
            "trait:HW_CPU_HYPERTHREADING", "hw:pci_numa_affinity_policy",
            "pci_passthrough:alias");
    private static final List<String> IMAGE_KEYS = List.of(
            "hw_cpu_policy", "hw_cpu_thread_policy", "hw_cpu_realtime_mask", "hw_mem_page_size", "hw_numa_nodes",
            "hw_locked_memory", "hw_pci_numa_affinity_policy");
    private static final List<String> PIECES = List.of(
            "dedicated", "mixed", "shared", "isolate", "require", "prefer", "share", "required", "true", "any", "large",
            "GB", "b", "0", "1", "-", "^", ",", ":", " ", "_", ".", "+", "9", "99999999999999999999", "\u0000",
            "\u0661", "\ud83d", "{", "\"");

    @Test
    void returnsAValueOrARefusalForEverything() {
        int values = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var request = new FlavorAndImage(
                    some(FLAVOR_KEYS, random), some(IMAGE_KEYS, random), vcpus(random), random.nextLong());
            if (derived(request, random, seed) instanceof DerivedValue.Value<InstanceNuma>(InstanceNuma result)
                    && result != null) {
                values++;
            }
        }
        assertThat(values).as("flavors with a topology").isPositive();
    }

    private static DerivedValue<InstanceNuma> derived(FlavorAndImage request, Random random, int seed) {
        try {
            PciConstraints.derive(request, PciAliases.parse(new TextNode(text(random)), false), () -> "id");
            return NumaConstraints.derive(request);
        } catch (RuntimeException bug) {
            throw new AssertionError("seed " + seed + ": " + request, bug);
        }
    }

    private static int vcpus(Random random) {
        return random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(5);
    }

    private static Map<String, String> some(List<String> keys, Random random) {
        var chosen = new LinkedHashMap<String, String>();
        for (int each = random.nextInt(5); each > 0; each--) {
            chosen.put(keys.get(random.nextInt(keys.size())), text(random));
        }
        return chosen;
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int each = random.nextInt(3) == 0 ? random.nextInt(6) : 1; each > 0; each--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }
}
