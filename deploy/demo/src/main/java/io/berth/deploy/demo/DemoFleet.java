package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * {@link DemoHost}s as a cloud would have them: providers, inventories and traits in placement, as a compute service
 * writes them; compute nodes, zones, racks and a disabled service in the scheduler's registry, which tells placement of
 * them. All hosts carry {@link #TRAIT}, so that the demo's instances land on no other host of the deployment.
 */
final class DemoFleet {
    static final String TRAIT = "CUSTOM_BERTH_DEMO";
    /** All hosts without GPUs. */
    static final UUID GENERAL_AGGREGATE = DemoHost.uuidOf("aggregate/general");
    /** Out of order, and said to be so. */
    static final DemoHost DISABLED = DemoHost.of(2, 1, 8);

    private static final Set<Integer> OK = Set.of(200);
    private static final Set<Integer> WRITTEN = Set.of(200, 201, 202);
    private static final int WAITS_MAX = 600;
    private static final long WAIT_MS = 100;

    private final JsonApi placement;
    private final JsonApi scheduler;

    DemoFleet(JsonApi placement, JsonApi scheduler) {
        this.placement = placement;
        this.scheduler = scheduler;
    }

    /** Creates or corrects all of it, without anything that an earlier tour or its reader left on the hosts. */
    void load() throws IOException, InterruptedException, UnexpectedAnswer {
        empty();
        for (String trait : List.of(TRAIT, "CUSTOM_GPU_L40S", "CUSTOM_GPU_A16")) {
            placement.send("PUT", "/traits/" + trait, null, Set.of(201, 204));
        }
        for (DemoHost host : DemoHost.ALL) {
            makeProvider(host.name(), null, host.inventories(), TRAIT);
            for (String gpu : host.gpus()) {
                ObjectNode inventories = JsonApi.object();
                inventories.putObject("VGPU").put("total", DemoHost.VGPUS_PER_GPU);
                makeProvider(gpu, host.uuid(), inventories, host.gpuTrait());
            }
            var node = JsonApi.object().put("host", host.name()).put("hypervisor_type", "QEMU");
            node.putArray("supported_instances").addArray().add("x86_64").add("kvm").add("hvm");
            scheduler.send("PUT", "/v1/compute_nodes/" + host.uuid(), node, WRITTEN);
        }
        register();
        run();
        awaitMirror();
    }

    private void register() throws IOException, InterruptedException, UnexpectedAnswer {
        for (int zone = 1; zone <= DemoHost.ZONES; zone++) {
            int here = zone;
            aggregate("az-" + zone, "availability_zone", host -> host.zone() == here);
            for (int rack = 1; rack <= DemoHost.RACKS; rack++) {
                int number = rack;
                aggregate("az%d-r%d".formatted(zone, rack), "rack",
                        host -> host.zone() == here && host.rack() == number);
            }
        }
        aggregate("general", "purpose", host -> !host.hasGpus());
        var service = JsonApi.object()
                .put("host", DISABLED.name())
                .put("disabled", true)
                .put("disabled_reason", "a fan is being replaced");
        scheduler.send("PUT", "/v1/services/" + DemoHost.uuidOf("service/" + DISABLED.name()), service, WRITTEN);
    }

    private void aggregate(String name, String key, Predicate<DemoHost> isMember)
            throws IOException, InterruptedException, UnexpectedAnswer {
        ObjectNode body = JsonApi.object().put("name", name);
        DemoHost.ALL.stream().filter(isMember).forEach(host -> body.withArray("hosts").add(host.name()));
        body.putObject("metadata").put(key, name);
        scheduler.send("PUT", "/v1/host_aggregates/" + DemoHost.uuidOf("aggregate/" + name), body, WRITTEN);
    }

    /** Every host has something to do already. */
    private void run() throws IOException, InterruptedException, UnexpectedAnswer {
        ObjectNode body = JsonApi.object();
        for (DemoHost host : DemoHost.ALL) {
            ObjectNode consumer = body.putObject(DemoHost.uuidOf("load/" + host.name()).toString());
            ObjectNode resources = consumer.putObject("allocations")
                    .putObject(host.uuid().toString()).putObject("resources");
            host.load().forEach(resources::put);
            consumer.put("project_id", "demo").put("user_id", "demo").put("consumer_type", "INSTANCE");
            consumer.putNull("consumer_generation");
        }
        placement.send("POST", "/allocations", body, Set.of(204));
    }

    /** The disabled service is a trait in placement only a moment later. */
    private void awaitMirror() throws IOException, InterruptedException, UnexpectedAnswer {
        for (int i = 0; scheduler.send("GET", "/v1/mirror?host=" + DISABLED.name(), null, OK)
                .body().path("pending").asInt() > 0; i++) {
            if (i == WAITS_MAX) {
                throw new UnexpectedAnswer("the scheduler has not told placement of the fleet: see /v1/mirror");
            }
            Thread.sleep(WAIT_MS);
        }
    }

    private void empty() throws IOException, InterruptedException, UnexpectedAnswer {
        Set<String> consumers = new TreeSet<>();
        for (DemoHost host : DemoHost.ALL) {
            for (UUID provider : host.providers()) {
                placement.send("GET", "/resource_providers/" + provider + "/allocations", null, Set.of(200, 404))
                        .body().path("allocations").fieldNames().forEachRemaining(consumers::add);
            }
        }
        for (String consumer : consumers) {
            delete(consumer);
        }
    }

    private void delete(String consumer) throws IOException, InterruptedException, UnexpectedAnswer {
        // 409: a request about the instance is under way.
        for (int i = 0; scheduler.send("DELETE", "/v1/instances/" + consumer, null, Set.of(204, 404, 409))
                .status() == 409; i++) {
            if (i == WAITS_MAX) {
                throw new UnexpectedAnswer("instance " + consumer + " cannot be deleted: a request is under way");
            }
            Thread.sleep(WAIT_MS);
        }
        placement.send("DELETE", "/allocations/" + consumer, null, Set.of(204, 404));
    }

    private void makeProvider(String name, UUID parent, ObjectNode inventories, String trait)
            throws IOException, InterruptedException, UnexpectedAnswer {
        UUID uuid = DemoHost.uuidOf(name);
        if (placement.send("GET", path(uuid), null, Set.of(200, 404)).status() == 404) {
            var provider = JsonApi.object().put("name", name).put("uuid", uuid.toString());
            if (parent != null) {
                provider.put("parent_provider_uuid", parent.toString());
            }
            placement.send("POST", "/resource_providers", provider, OK);
        }
        ObjectNode stock = JsonApi.object();
        stock.set("inventories", inventories);
        putWithGeneration(uuid, "/inventories", stock);
        ObjectNode traits = JsonApi.object();
        traits.putArray("traits").add(trait);
        putWithGeneration(uuid, "/traits", traits);
    }

    private void putWithGeneration(UUID provider, String resource, ObjectNode body)
            throws IOException, InterruptedException, UnexpectedAnswer {
        body.put("resource_provider_generation",
                placement.send("GET", path(provider), null, OK).body().path("generation").asInt());
        placement.send("PUT", path(provider) + resource, body, OK);
    }

    private static String path(UUID provider) {
        return "/resource_providers/" + provider;
    }

    /**
     * Capacity and use of one host's class.
     *
     * @param capacity (total - reserved) x allocation ratio
     */
    record Room(long capacity, long used) {
        long free() {
            return capacity - used;
        }
    }

    /** Vcpus of all hosts, in their order, as placement tells them in the summaries of one answer. */
    List<Room> vcpus() throws IOException, InterruptedException, UnexpectedAnswer {
        JsonNode summaries = placement.send(
                "GET", "/allocation_candidates?resources=VCPU:1&required=" + TRAIT, null, OK)
                .body().path("provider_summaries");
        List<Room> rooms = new ArrayList<>();
        for (DemoHost host : DemoHost.ALL) {
            JsonNode vcpu = summaries.path(host.uuid().toString()).path("resources").path("VCPU");
            rooms.add(new Room(vcpu.path("capacity").asLong(), vcpu.path("used").asLong()));
        }
        return rooms;
    }

    /** What placement holds of the class on the provider: total, reserved, allocation_ratio and so on. */
    JsonNode inventory(UUID provider, String resourceClass)
            throws IOException, InterruptedException, UnexpectedAnswer {
        return placement.send("GET", path(provider) + "/inventories/" + resourceClass, null, OK).body();
    }

    /** Sets the ratio of one class on one provider, over HTTP. */
    void setRatio(UUID provider, String resourceClass, double ratio)
            throws IOException, InterruptedException, UnexpectedAnswer {
        var inventory = (ObjectNode) inventory(provider, resourceClass);
        inventory.put("allocation_ratio", ratio);
        placement.send("PUT", path(provider) + "/inventories/" + resourceClass, inventory, OK);
    }
}
