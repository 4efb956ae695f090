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
import jakarta.annotation.Nullable;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Reads the members {@code numa_topology} and {@code pci_requests} of a RequestSpec. */
final class NumaAndPciBody {
    private NumaAndPciBody() {}

    /** Reads a topology; a cell without {@code id} gets its index in the list. */
    static InstanceNuma topology(StrictObject topology) {
        var ids = new AtomicInteger();
        return new InstanceNuma(
                topology.objects("cells", cell -> cell(cell, ids.getAndIncrement())),
                choice(topology, "emulator_threads_policy", EmulatorThreadsPolicy::find));
    }

    private static InstanceNumaCell cell(StrictObject cell, int index) {
        return new InstanceNumaCell(
                cell.integer("id", index),
                cell.cpus("cpuset"),
                cell.cpus("pcpuset"),
                Objects.requireNonNullElse(cell.longWithin("memory", 0, Integer.MAX_VALUE), 0L),
                cell.integerOrNull("pagesize"),
                choice(cell, "cpu_policy", CpuPolicy::find),
                choice(cell, "cpu_thread_policy", CpuThreadPolicy::find));
    }

    /** Reads one element of {@code pci_requests}. */
    static PciRequest request(StrictObject request) {
        return new PciRequest(
                request.text("request_id"),
                request.integer("count", 1),
                request.objects("spec", alternative -> JsonValues.plainMembers(alternative.anything())),
                request.text("alias_name"),
                choice(request, "numa_policy", PciNumaPolicy::find));
    }

    /**
     * Reads a member that names a value of an enum; null if the member is absent.
     *
     * @param find returns the value with a name; null for an unknown name, for which this method throws ApiFault (400)
     */
    private static <T> @Nullable T choice(StrictObject object, String name, Function<String, T> find) {
        String text = object.text(name);
        T value = text == null ? null : find.apply(text);
        if (text != null && value == null) {
            throw object.invalid(name, "'%s' is none of the permitted values".formatted(text));
        }
        return value;
    }
}
