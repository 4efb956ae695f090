package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Sends {@value #CLAIMS} claims of one vCPU on one host to placement, {@value #CLIENTS} at a time. Checks that the host
 * is not overbooked, that no claim failed with a conflict, and that the host's use has grown by the claims that
 * succeeded. Then releases these claims, unless a check failed.
 */
record Race(RestClient placement, DemoFleet fleet, Screen screen) {
    private static final int CLAIMS = 1000;
    private static final int CLIENTS = 32;
    private static final int STATUS_CLAIMED = 204;
    private static final String CONFLICT_CODE = "placement.concurrent_update";

    void run(DemoHost host) throws ApiFailure, InterruptedException {
        DemoFleet.Room before = fleet.vcpuRooms().get(host.index());
        screen.line("  %s has room for %d vCPUs, %d are in use: %d are free.".formatted(
                screen.strong(host.name()), before.capacity(), before.used(), before.free()));
        long beganNanos = System.nanoTime();
        List<RestClient.Response> responses = claim(host);
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        long claimed = responses.stream().filter(response -> response.status() == STATUS_CLAIMED).count();
        long conflicts = responses.stream()
                .filter(response -> response.error().path("code").asText().equals(CONFLICT_CODE)).count();
        long used = placement.get("/resource_providers/" + host.uuid() + "/usages")
                .path("usages").path("VCPU").asLong();
        screen.line("  %,d claims of 1 vCPU each, %d at a time, in %.2f s:".formatted(CLAIMS, CLIENTS, seconds));
        screen.line("");
        String row = "  %7d  %s";
        screen.line(screen.good(row.formatted(claimed, "hold")));
        screen.line(row.formatted(responses.size() - claimed - conflicts, "refused, as the host was full"));
        screen.line(verdict(row.formatted(conflicts, "conflicts: no client had to try again"), conflicts == 0));
        long overbooked = Math.max(0, used - before.capacity());
        screen.line(verdict(
                row.formatted(overbooked, "overbooked: %d of %d are in use now".formatted(used, before.capacity())),
                overbooked == 0));
        if (overbooked > 0 || conflicts > 0 || before.used() + claimed != used) {
            throw new ApiFailure("the race of claims failed: %d conflicts, %d vCPUs in use, expected 0 and %d"
                    .formatted(
                            conflicts, used, before.used() + claimed));
        }
        List<Integer> numbers = IntStream.range(0, CLAIMS)
                .filter(number -> responses.get(number).status() == STATUS_CLAIMED).boxed().toList();
        DemoFleet.workers().each("claims", numbers, number -> placement.send("DELETE", path(number), null, 204));
    }

    private String verdict(String row, boolean isGood) {
        return isGood ? screen.good(row) : screen.bad(row);
    }

    /** Sends the claims. Returns the response to each, in the order of their numbers. */
    private List<RestClient.Response> claim(DemoHost host) throws ApiFailure, InterruptedException {
        ObjectNode body = RestClient.emptyObject();
        body.putObject("allocations").putObject(host.uuid().toString()).putObject("resources").put("VCPU", 1);
        body.put("project_id", "demo").put("user_id", "demo").put("consumer_type", "INSTANCE");
        body.putNull("consumer_generation");
        List<Future<RestClient.Response>> pendingResponses = new ArrayList<>();
        List<RestClient.Response> responses = new ArrayList<>();
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLAIMS; i++) {
                String path = path(i);
                pendingResponses.add(clients.submit(() -> placement.call("PUT", path, body, STATUS_CLAIMED, 409)));
            }
            for (Future<RestClient.Response> pending : pendingResponses) {
                responses.add(pending.get());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
        return responses;
    }

    private static String path(int number) {
        return "/allocations/" + DemoHost.uuidOf("claim/" + number);
    }
}
