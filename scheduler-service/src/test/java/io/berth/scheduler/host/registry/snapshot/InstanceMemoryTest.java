package io.berth.scheduler.host.registry.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.LiveHeap;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.request.ImageProperties;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Measures the heap that one instance of the registry takes. */
class InstanceMemoryTest {
    private static final int INSTANCES = 100_000;
    private static final int HOSTS = 1_000;
    private static final int PAGE = 2_000;

    /** Instances arrive sorted by host or in random order. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInstanceTakesAtMostAHundredBytesOfHeap(boolean isSortedByHost) throws Exception {
        var random = new SplittableRandom(7);
        long before = LiveHeap.bytes();
        RegistrySnapshot snapshot = RegistrySnapshot.EMPTY;
        for (int read = 0; read < INSTANCES; read += PAGE) {
            Map<UUID, RegistryRecord> page = new HashMap<>();
            while (page.size() < PAGE) {
                int host = isSortedByHost
                        ? (read + page.size()) / (INSTANCES / HOSTS)
                        : random.nextInt(HOSTS);
                RegisteredInstance instance = instance(host, random);
                page.put(instance.uuid(), instance);
            }
            snapshot = snapshot.after(Map.of(RecordCollection.INSTANCES, page), Instant.EPOCH);
        }
        double each = (double) (LiveHeap.bytes() - before) / INSTANCES;
        System.out.printf("bytes of heap per instance: %.1f%n", each);
        assertThat(snapshot.instancesOn("host-1", "host-1")).isNotEmpty();
        assertThat(each).isLessThanOrEqualTo(100);
    }

    /** Every record has String objects of its own, as records that are read from the database do. */
    private static RegisteredInstance instance(int number, SplittableRandom random) {
        String host = "host-" + number;
        var running = new RunningInstance(
                (long) random.nextInt(50),
                ImageProperties.read(
                        Map.of("hw_disk_bus", random.nextBoolean() ? "scsi" : "virtio", "os_type", "linux")));
        return new RegisteredInstance(
                new UUID(random.nextLong(), random.nextLong()), host, new String(host), running);
    }
}
