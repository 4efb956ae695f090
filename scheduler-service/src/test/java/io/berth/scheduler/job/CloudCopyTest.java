package io.berth.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the copy of the cloud on which analysis jobs free the allocations of instances and remove them. */
class CloudCopyTest {
    private static final int HOSTS = 1_000;

    private static UUID uuid(int number) {
        return new UUID(0x4000, number);
    }

    /** Returns a registry with one node and two instances on each host. */
    private static RegistrySnapshot registry() {
        Registries registries = new Registries();
        IntStream.range(0, HOSTS).forEach(i -> {
            registries.computeNode(uuid(i).toString(), "{\"host\": \"h%d\", \"num_instances\": 2}".formatted(i));
            for (int j = 1; j <= 2; j++) {
                registries.instance(
                        uuid(j * HOSTS + i).toString(), "{\"host\": \"h%d\", \"nodename\": \"h%d\"}".formatted(i, i));
            }
        });
        return registries.snapshot();
    }

    /** Returns a copy that does not call placement. */
    private static CloudCopy copy(RegistrySnapshot registry, Duration atMost) {
        return new CloudCopy(new Snapshot(
                null, registry, new Deadline(atMost), "req-1", Options.DEFAULTS, new EnabledFilters(List.of()),
                new EnabledWeighers(List.of())));
    }

    @Test
    void removesFreedInstancesWithoutChangingForks() {
        RegistrySnapshot registry = registry();
        CloudCopy copy = copy(registry, Duration.ofMinutes(1));
        copy.freeAllocations(registry.findInstance(uuid(HOSTS)), Map.of());
        CloudCopy fork = copy.fork();
        copy.freeAllocations(registry.findInstance(uuid(2 * HOSTS)), Map.of());
        assertThat(copy.now().registry().instancesOn("h0", "h0")).isEmpty();
        assertThat(copy.now().registry().computeNodesOf("h0").getFirst().state().numInstances()).isZero();
        assertThat(copy.now()).isSameAs(copy.now());
        assertThat(fork.now().registry().instancesOn("h0", "h0")).hasSize(1);
    }

    /** A host managed by nova reports its own usage, which a forecast has to lower as well. */
    @Test
    void lowersTheUsageThatTheNodeReports() {
        Registries registries = new Registries();
        registries.computeNode(uuid(0).toString(), """
                {"host": "h", "num_instances": 1, "vcpus_used": 3, "free_ram_mb": 1024, "free_disk_mb": 512, "disk_mb_used": 4096}""");
        registries.instance(uuid(1).toString(), "{\"host\": \"h\", \"nodename\": \"h\"}");
        CloudCopy copy = copy(registries.snapshot(), Duration.ofMinutes(1));

        copy.freeAllocations(copy.now().registry().findInstance(uuid(1)), Map.of(
                uuid(0).toString(), Map.of("VCPU", 1L, "PCPU", 1L, "MEMORY_MB", 4_096L), "storage",
                Map.of("DISK_GB", 2L)));

        HostState left = copy.now().registry().computeNodesOf("h").getFirst().state();
        assertThat(left.vcpusUsed()).isEqualTo(1);
        assertThat(left.freeRamMb()).isEqualTo(5_120);
        assertThat(left.freeDiskMb()).isEqualTo(512 + 2 * 1_024);
        assertThat(left.diskMbUsed()).isEqualTo(2_048);
    }

    /** 2,000 instances on 1,000 hosts once took half a gigabyte: the state of a host was rebuilt for each instance. */
    @Test
    void freeingManyInstancesTakesLittleMemory() {
        RegistrySnapshot registry = registry();
        CloudCopy copy = copy(registry, Duration.ofMinutes(1));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 2 * HOSTS; i++) {
            RegisteredInstance leaving = registry.findInstance(uuid(HOSTS + i));
            copy.freeAllocations(leaving, Map.of(uuid(i % HOSTS).toString(), Map.of("VCPU", 1L, "MEMORY_MB", 1_024L)));
        }
        copy.now();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100L * 1_024 * 1_024);
    }

    @Test
    void changesNothingAfterTheDeadline() {
        RegistrySnapshot registry = registry();
        CloudCopy copy = copy(registry, Duration.ZERO);
        copy.removeInstances(List.of(uuid(HOSTS)));
        assertThat(copy.now().registry().findInstance(uuid(HOSTS))).isNotNull();
    }
}
