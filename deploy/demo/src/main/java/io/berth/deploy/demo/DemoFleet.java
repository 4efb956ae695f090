package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Six hosts, each a resource provider with 16 vCPUs, 64 GiB of memory and 500 GB of disk, in two aggregates of
 * three. All carry {@link #TRAIT}, so that the demo's instances land on no other host of the deployment.
 */
final class DemoFleet {
    static final String TRAIT = "CUSTOM_BERTH_DEMO";
    private static final double CPU_ALLOCATION_RATIO = 4.0;
    private static final Set<Integer> OK = Set.of(200);
    private static final List<Host> HOSTS = IntStream.rangeClosed(1, 6).mapToObj(Host::of).toList();

    private final JsonApi placement;

    DemoFleet(JsonApi placement) {
        this.placement = placement;
    }

    private record Host(String name, UUID uuid, UUID aggregate) {
        static Host of(int number) {
            String name = "demo-host-" + number;
            return new Host(name, uuidOf(name), uuidOf(number <= 3 ? "demo-aggregate-1" : "demo-aggregate-2"));
        }

        String path() {
            return "/resource_providers/" + uuid;
        }
    }

    /** The same name gives the same UUID in every run, so that the demo can be repeated. */
    static UUID uuidOf(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes back what these consumers hold from an earlier run; most hold nothing. */
    void release(List<UUID> consumers) throws IOException, InterruptedException, UnexpectedAnswer {
        for (UUID consumer : consumers) {
            placement.send("DELETE", "/allocations/" + consumer, null, Set.of(204, 404));
        }
    }

    /** Creates or corrects the fleet; answers a line on what it made. */
    String load() throws IOException, InterruptedException, UnexpectedAnswer {
        placement.send("PUT", "/traits/" + TRAIT, null, Set.of(201, 204));
        for (Host host : HOSTS) {
            if (placement.send("GET", host.path(), null, Set.of(200, 404)).status() == 404) {
                var provider = JsonApi.object().put("name", host.name()).put("uuid", host.uuid().toString());
                placement.send("POST", "/resource_providers", provider, OK);
            }
            putWithGeneration(host, "/inventories", inventories(1.0));
            ObjectNode traits = JsonApi.object();
            traits.putArray("traits").add(TRAIT);
            putWithGeneration(host, "/traits", traits);
            ObjectNode aggregates = JsonApi.object();
            aggregates.putArray("aggregates").add(host.aggregate().toString());
            putWithGeneration(host, "/aggregates", aggregates);
        }
        int before = vcpuCapacity();
        for (Host host : HOSTS) {
            putWithGeneration(host, "/inventories", inventories(CPU_ALLOCATION_RATIO));
        }
        return ("Fleet: %d hosts in 2 aggregates. VCPU allocation ratio set from 1.0 to %s: room for %d vCPUs "
                        + "instead of %d.")
                .formatted(HOSTS.size(), CPU_ALLOCATION_RATIO, vcpuCapacity(), before);
    }

    /** One line: what each host has given away of its vCPUs. */
    String describeUsage() throws IOException, InterruptedException, UnexpectedAnswer {
        var line = new StringJoiner(", ", "vCPUs used: ", "");
        for (Host host : HOSTS) {
            JsonNode usages = placement.send("GET", host.path() + "/usages", null, OK).body().path("usages");
            line.add("%s %d".formatted(host.name(), usages.path("VCPU").asInt()));
        }
        return line.toString();
    }

    /** As placement counts it: (total - reserved) x allocation ratio, over the demo's hosts. */
    private int vcpuCapacity() throws IOException, InterruptedException, UnexpectedAnswer {
        double sum = 0;
        for (Host host : HOSTS) {
            JsonNode vcpu = placement.send("GET", host.path() + "/inventories/VCPU", null, OK).body();
            sum += (vcpu.path("total").asInt() - vcpu.path("reserved").asInt())
                    * vcpu.path("allocation_ratio").asDouble();
        }
        return (int) sum;
    }

    private void putWithGeneration(Host host, String resource, ObjectNode body)
            throws IOException, InterruptedException, UnexpectedAnswer {
        int generation = placement.send("GET", host.path(), null, OK).body().path("generation").asInt();
        body.put("resource_provider_generation", generation);
        placement.send("PUT", host.path() + resource, body, OK);
    }

    private static ObjectNode inventories(double cpuAllocationRatio) {
        ObjectNode inventories = JsonApi.object();
        inventories.putObject("VCPU").put("total", 16).put("allocation_ratio", cpuAllocationRatio);
        inventories.putObject("MEMORY_MB").put("total", 65536).put("reserved", 2048);
        inventories.putObject("DISK_GB").put("total", 500);
        ObjectNode body = JsonApi.object();
        body.set("inventories", inventories);
        return body;
    }
}
