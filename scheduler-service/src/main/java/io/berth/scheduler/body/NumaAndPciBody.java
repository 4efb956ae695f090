package io.berth.scheduler.body;

import io.berth.scheduler.json.JsonValues;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.pci.PciNumaPolicy;
import io.berth.scheduler.pci.PciRequest;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Stated NUMA topologies and PCI requests of an instance. */
final class NumaAndPciBody {
    private NumaAndPciBody() {}

    static @Nullable InstanceNuma topology(@Nullable StrictObject topology) {
        if (topology == null) {
            return null;
        }
        var cells = new ArrayList<InstanceNumaCell>();
        for (StrictObject cell : topology.objects("cells")) {
            cells.add(new InstanceNumaCell(
                    cell.integer("id", cells.size()),
                    cell.cpus("cpuset"),
                    cell.cpus("pcpuset"),
                    cell.longInteger("memory", 0),
                    cell.integerOrNull("pagesize"),
                    choice(cell, "cpu_policy", CpuPolicy::find),
                    choice(cell, "cpu_thread_policy", CpuThreadPolicy::find)));
            cell.nothingElse();
        }
        var read = new InstanceNuma(cells, choice(topology, "emulator_threads_policy", EmulatorThreadsPolicy::find));
        topology.nothingElse();
        return read;
    }

    static List<PciRequest> requests(StrictObject body) {
        var requests = new ArrayList<PciRequest>();
        for (StrictObject request : body.objects("pci_requests")) {
            var alternatives = new ArrayList<Map<String, ?>>();
            for (StrictObject alternative : request.objects("spec")) {
                alternatives.add(JsonValues.plainMembers(alternative.node()));
            }
            requests.add(new PciRequest(
                    request.text("request_id"),
                    request.integer("count", 1),
                    alternatives,
                    request.text("alias_name"),
                    choice(request, "numa_policy", PciNumaPolicy::find)));
            request.nothingElse();
        }
        return requests;
    }

    /** Null where the member is null or absent. */
    private static <T> @Nullable T choice(StrictObject object, String name, Function<String, T> find) {
        String text = object.text(name);
        T found = text == null ? null : find.apply(text);
        if (text != null && found == null) {
            throw ApiFault.invalid("$.request_spec: %s '%s' is none of the permitted values".formatted(name, text));
        }
        return found;
    }
}
