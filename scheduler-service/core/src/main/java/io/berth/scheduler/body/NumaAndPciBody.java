package io.berth.scheduler.body;

import io.berth.scheduler.json.JsonValues;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.pci.PciNumaPolicy;
import io.berth.scheduler.pci.PciRequest;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Reads the members {@code numa_topology} and {@code pci_requests} of a RequestSpec. */
final class NumaAndPciBody {
    private NumaAndPciBody() {}

    /** Reads a topology; a cell without {@code id} gets its index in the list. */
    static InstanceNuma topology(StrictObject topology) {
        var ids = new AtomicInteger();
        return new InstanceNuma(
                topology.objects("cells", cell -> cell(cell, ids.getAndIncrement())),
                choice(topology, "emulator_threads_policy", EmulatorThreadsPolicy.values()));
    }

    private static InstanceNumaCell cell(StrictObject cell, int index) {
        return new InstanceNumaCell(
                cell.integer("id", index),
                cell.cpus("cpuset"),
                cell.cpus("pcpuset"),
                Objects.requireNonNullElse(cell.longWithin("memory", 0, Integer.MAX_VALUE), 0L),
                cell.integerOrNull("pagesize"),
                choice(cell, "cpu_policy", CpuPolicy.values()),
                choice(cell, "cpu_thread_policy", CpuThreadPolicy.values()));
    }

    /** Reads one element of {@code pci_requests}. */
    static PciRequest request(StrictObject request) {
        return new PciRequest(
                request.text("request_id"),
                request.integer("count", 1),
                request.objects("spec", alternative -> JsonValues.plainMembers(alternative.readWhole())),
                request.text("alias_name"),
                choice(request, "numa_policy", PciNumaPolicy.values()));
    }

    /** Reads a member that names a constant; null if the member is absent. Throws ApiFault (400) for another name. */
    private static <T extends WireNamed> @Nullable T choice(StrictObject object, String name, T[] constants) {
        String text = object.text(name);
        T value = WireNamed.find(constants, text);
        if (text != null && value == null) {
            String permitted = Arrays.stream(constants).map(WireNamed::wireName).collect(Collectors.joining(", "));
            throw object.invalid(name, "must be one of %s, not '%s'".formatted(permitted, text));
        }
        return value;
    }
}
