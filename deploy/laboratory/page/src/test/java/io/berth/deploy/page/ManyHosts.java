package io.berth.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Creates a large fleet through the documented routes, with many hosts in one request if the route allows it. */
record ManyHosts(Api placement, Api scheduler, int count) {
    private static final int BATCH_HOSTS = 500;
    private static final int AT_ONCE = 16;
    private static final int ZONES = 5;

    /** Returns the name of a host, counted from 0. */
    static String name(int host) {
        return "host-%05d".formatted(host);
    }

    void load() {
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> made = IntStream.range(0,
                    count).<Future<?>>mapToObj(host -> threads.submit(() -> makeProvider(host))).toList();
            for (Future<?> each : made) {
                each.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        for (int from = 0; from < count; from += BATCH_HOSTS) {
            writeHosts(from, Math.min(count, from + BATCH_HOSTS));
        }
        for (int zone = 0; zone < ZONES; zone++) {
            writeAggregate(zone);
        }
        Await.eventually(() -> assertThat(scheduler.get("/v1/placement_sync").body()).contains("\"pending\":0"));
    }

    private void makeProvider(int host) {
        send(placement, "POST", "/resource_providers",
                object().put("uuid", uuidOf(name(host)).toString()).put("name", name(host)));
    }

    /** Writes the inventories of the hosts, their instances and their compute nodes. */
    private void writeHosts(int from, int to) {
        ObjectNode reshaped = object();
        ObjectNode registered = object();
        for (int host = from; host < to; host++) {
            String uuid = uuidOf(name(host)).toString();
            ObjectNode inventories = reshaped.withObject("/inventories").putObject(uuid)
                    .put("resource_provider_generation", 0).putObject("inventories");
            inventories.putObject("VCPU").put("total", 64).put("allocation_ratio", 4);
            inventories.putObject("MEMORY_MB").put("total", 262_144);
            inventories.putObject("DISK_GB").put("total", 4_000);
            ObjectNode consumer = reshaped.withObject("/allocations").putObject(uuidOf("use of " + host).toString())
                    .put("project_id", "demo").put("user_id", "demo").put("consumer_type", "INSTANCE");
            consumer.putNull("consumer_generation");
            int tenths = 1 + host * 7 % 9;
            consumer.withObject("/allocations").putObject(uuid).putObject("resources")
                    .put("VCPU", 25 * tenths).put("MEMORY_MB", 26_214 * tenths).put("DISK_GB", 200 * tenths);
            registered.withArray("/compute_nodes").addObject().put("uuid", uuid)
                    .put("host", name(host)).put("hypervisor_type", "QEMU")
                    .putArray("supported_instances").addArray().add("x86_64").add("kvm").add("hvm");
        }
        send(placement, "POST", "/reshaper", reshaped);
        send(scheduler, "PUT", "/v1/compute_nodes", registered);
    }

    private void writeAggregate(int zone) {
        String name = "az-" + (zone + 1);
        ObjectNode aggregate = object().put("name", name);
        IntStream.range(0, count).filter(host -> host % ZONES == zone)
                .forEach(host -> aggregate.withArray("/hosts").add(name(host)));
        aggregate.putObject("metadata").put("availability_zone", name);
        send(scheduler, "PUT", "/v1/host_aggregates/" + uuidOf(name), aggregate);
    }

    private static void send(Api api, String method, String path, ObjectNode body) {
        var response = api.call(method, path, body.toString());
        assertThat(response.status()).as(() -> path + " " + response.body()).isBetween(200, 204);
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static UUID uuidOf(String name) {
        return UUID.nameUUIDFromBytes(("many hosts/" + name).getBytes(StandardCharsets.UTF_8));
    }
}
