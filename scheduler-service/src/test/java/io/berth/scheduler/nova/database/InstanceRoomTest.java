package io.berth.scheduler.nova.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how nova's cells share the memory for instances. */
class InstanceRoomTest {
    private static final UUID LARGE = new UUID(0, 1);
    private static final UUID SMALL = new UUID(0, 2);

    private final InstanceRoom room = new InstanceRoom(bytes(25));

    /** Returns the memory that so many instances take, all of one flavor. */
    private static long bytes(int count) {
        return registry(count, Long.MAX_VALUE).instanceBytes();
    }

    private static RegistrySnapshot registry(int count, long bytesMax) {
        Registries registries = new Registries();
        IntStream.range(0, count).forEach(
                i -> registries.instance(new UUID(1, i).toString(), "{\"host\": \"cmp1\"}"));
        return registries.after(RegistrySnapshot.EMPTY.withInstanceBytesMax(bytesMax), 0);
    }

    private RegistrySnapshot fill(UUID cell, int count) {
        return room.buildRegistry(cell, bytesMax -> registry(count, bytesMax));
    }

    @Test
    void aLargeCellGetsTheMemoryThatSmallCellsLeave() {
        assertThat(fill(SMALL, 1).hasOmittedInstances()).isFalse();
        RegistrySnapshot large = fill(LARGE, 30);
        assertThat(large.hasOmittedInstances()).isTrue();
        assertThat(large.instanceBytes() + bytes(1)).isLessThanOrEqualTo(bytes(25));
        assertThat(large.instanceCount()).isGreaterThan(13);
        assertThat(fill(LARGE, 15).hasOmittedInstances()).isFalse();
    }

    @Test
    void releasesTheMemoryOfRemovedCells() {
        fill(LARGE, 25);
        assertThat(fill(SMALL, 25).instanceCount()).isZero();
        room.releaseAllExcept(Set.of(SMALL));
        assertThat(fill(SMALL, 25).instanceCount()).isEqualTo(25);
        room.releaseAllExcept(Set.of());
        assertThat(fill(LARGE, 25).instanceCount()).isEqualTo(25);
    }
}
