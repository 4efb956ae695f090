package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.pci.PciRequest;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.Image;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.DerivedValue;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Builds request specs for benchmarks. Each call returns a new object with new instance uuids, as for each request of a
 * client.
 */
public final class Requests {
    private Requests() {}

    /** Creates a request for {@code instances} instances of a flavor without extra specs. */
    public static RequestSpec plain(int instances) {
        return of(instances, Map.of());
    }

    /** Creates a request for two NUMA nodes with shared CPUs. */
    static RequestSpec floating() {
        return of(1, Map.of("hw:numa_nodes", "2"));
    }

    /** Creates a request for two NUMA nodes with dedicated CPUs. */
    static RequestSpec pinned() {
        return of(1, Map.of("hw:numa_nodes", "2", "hw:cpu_policy", "dedicated"));
    }

    /** Creates a request with two required traits, and an extra spec for the metadata of a host's aggregates. */
    static RequestSpec withExtraSpecs() {
        return of(1, Map.of(
                "trait:HW_CPU_X86_AVX512F", "required",
                "trait:STORAGE_DISK_SSD", "required",
                "aggregate_instance_extra_specs:ssd", "yes"));
    }

    /** Creates a request for one PCI accelerator. */
    static RequestSpec accelerator() {
        var accelerator = new PciRequest(
                UUID.randomUUID().toString(),
                1,
                List.of(Map.of("vendor_id", "10de", "product_id", "20b0")),
                "gpu",
                null);
        return of(1, Map.of()).toBuilder().pciRequests(List.of(accelerator)).build();
    }

    /**
     * Creates a request in an anti-affinity group of 100 members: one instance on each of the first 100 hosts of {@link
     * Fleets#withInstances}.
     */
    static RequestSpec antiAffine() {
        Set<String> members = new HashSet<>();
        for (int host = 0; host < 100; host++) {
            members.add(Fleets.uuid(host * 10 + 1_000_000));
        }
        List<String> hosts = IntStream.range(0, 100).mapToObj(i -> "host-" + i).toList();
        return of(1, Map.of()).toBuilder()
                .instanceGroup(new InstanceGroup(UUID.randomUUID().toString(), "anti-affinity", null, members, hosts))
                .build();
    }

    private static RequestSpec of(int instances, Map<String, String> extraSpecs) {
        List<String> uuids = IntStream.range(0, instances)
                .mapToObj(i -> UUID.randomUUID().toString())
                .toList();
        RequestSpec spec = RequestSpec.of(new Flavor(7L, "m1", "m1", 4, 4096, 20, 0, 0, extraSpecs))
                .instanceUuids(uuids)
                .numInstances(instances)
                .projectId("11111111-2222-4333-8444-555555555555")
                .userId("11111111-2222-4333-8444-666666666666")
                .image(new Image("i", "linux", "qcow2", Map.of("hw_architecture", "x86_64", "img_hv_type", "kvm")))
                .build();
        var unconstrained = new Constraints.Open(true, false);
        return switch (Constraints.derive(spec, unconstrained, Options.DEFAULTS, () -> UUID.randomUUID().toString())) {
            case DerivedValue.Value<RequestSpec>(RequestSpec derived) -> derived;
            case DerivedValue.Refused<RequestSpec>(String detail) -> throw new IllegalStateException(detail);
        };
    }
}
