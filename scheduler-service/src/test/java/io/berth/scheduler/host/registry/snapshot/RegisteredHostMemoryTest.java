package io.berth.scheduler.host.registry.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.LiveHeap;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Measures the heap that one registered host takes. */
class RegisteredHostMemoryTest {
    private static final int HOSTS = 10_000;
    private static final int ZONES = 4;
    private static final int CORES = 32;
    private static final int PAGE = 2_000;

    private RegistrySnapshot snapshot = RegistrySnapshot.EMPTY;

    /** Hosts are as Berth stores them: two sockets with hardware threads, a CPU model, a service and a zone. */
    @Test
    void aRegisteredHostTakesAtMostSevenHundredAndFiftyBytesOfHeap() throws Exception {
        long before = LiveHeap.bytes();
        read(RecordCollection.COMPUTE_NODES, HOSTS, RegisteredHostMemoryTest::node);
        read(RecordCollection.SERVICES, HOSTS, host -> "{\"host\":\"compute-%06d\"}".formatted(host));
        read(RecordCollection.HOST_AGGREGATES, ZONES, RegisteredHostMemoryTest::zone);
        double each = (double) (LiveHeap.bytes() - before) / HOSTS;
        System.out.printf("bytes of heap per registered host: %.1f%n", each);
        assertThat(snapshot.computeNodeCount()).isEqualTo(HOSTS);
        assertThat(snapshot.findService("compute-000001").host())
                .isSameAs(snapshot.computeNodesOf("compute-000001").getFirst().nodename());
        assertThat(each).isLessThanOrEqualTo(750);
    }

    /** Uses statistics, devices and metrics that are different on every host. */
    @Test
    void estimatesTheMemoryOfValuesThatOnlyOneHostReports() throws Exception {
        long before = LiveHeap.bytes();
        read(RecordCollection.COMPUTE_NODES, PAGE, RegisteredHostMemoryTest::nodeWithUniqueValues);
        double taken = LiveHeap.bytes() - before;
        System.out.printf("bytes of heap per host with much of its own: %.1f, reckoned %.1f%n", taken / PAGE,
                (double) snapshot.bytes() / PAGE);
        assertThat(snapshot.bytes() / taken).isBetween(0.7, 1.5);
    }

    private static String nodeWithUniqueValues(int host) {
        String stats = IntStream.range(0, 40).mapToObj(i -> "\"stat_%1$d\":\"%2$d-%1$d\"".formatted(i, host))
                .collect(Collectors.joining(","));
        String pools = IntStream.range(0, 16)
                .mapToObj(i -> """
                        {"vendor_id":"10de","product_id":"2331","numa_node":%1$d,"count":1,"dev_type":"type-PCI","rp_uuid":"uuid-%2$d-%1$d",
                         "address":"0000:%1$d:%2$d","managed":"true","live_migratable":null}""".formatted(i, host))
                .collect(Collectors.joining(","));
        return """
                {"host":"compute-%1$06d","stats":{%2$s,"nested":[{},{},{},[],[],1,2,3,true]},"pci_stats":{"pools":[%3$s]},
                 "metrics":[{"name":"cpu.%1$d","value":0.5}],
                 "cpu_info":{"model":"%1$d","features":["a%1$d","b%1$d","c%1$d"]}}""".formatted(host, stats, pools);
    }

    private void read(RecordCollection collection, int count, IntFunction<String> body) {
        for (int from = 0; from < count; from += PAGE) {
            Map<UUID, RegistryRecord> page = new HashMap<>();
            for (int i = from; i < Math.min(count, from + PAGE); i++) {
                UUID uuid = new UUID(collection.ordinal(), i);
                byte[] json = body.apply(i).getBytes(StandardCharsets.UTF_8);
                page.put(uuid, collection.readStored(uuid, new StrictObject(JsonBody.parse(json), "$")));
            }
            snapshot = snapshot.after(Map.of(collection, page), Instant.EPOCH);
        }
    }

    private static String node(int host) {
        String cells = IntStream.range(0, 2).mapToObj(RegisteredHostMemoryTest::cell).toList().toString();
        return """
                {"host":"compute-%1$06d","nodename":"compute-%1$06d","hypervisor_type":"QEMU","hypervisor_version":8002000,
                 "supported_instances":[["x86_64","kvm","hvm"]],"vcpus_total":128,"total_usable_ram_mb":524288,
                 "cpu_info":"{\\"arch\\": \\"x86_64\\", \\"model\\": \\"EPYC-Milan\\", \\"features\\": [\\"%2$s\\"]}",
                 "numa_topology":{"cells":%3$s}}""".formatted(host, "avx ".repeat(100), cells);
    }

    private static String cell(int cell) {
        List<Integer> cpus =
                IntStream.range(0, 2 * CORES).map(cpu -> cpu % CORES + cell * CORES + cpu / CORES * 2 * CORES)
                        .boxed().toList();
        String siblings = IntStream.range(0, CORES)
                .mapToObj(core -> List.of(cpus.get(core), cpus.get(CORES + core)))
                .toList().toString();
        return """
                {"id":%1$d,"cpuset":%2$s,"pcpuset":%2$s,"memory":262144,"siblings":%3$s,"socket":%1$d,
                 "mempages":[{"size_kb":4,"total":67108864},{"size_kb":1048576,"total":0}]}""".formatted(cell, cpus, siblings);
    }

    private static String zone(int zone) {
        return "{\"id\":%1$d,\"name\":\"az-%1$d\",\"metadata\":{\"availability_zone\":\"az-%1$d\"},\"hosts\":%2$s}"
                .formatted(
                        zone, IntStream.range(0, HOSTS)
                                .filter(host -> host % ZONES == zone)
                                .mapToObj("\"compute-%06d\""::formatted)
                                .collect(Collectors.joining(",", "[", "]")));
    }
}
