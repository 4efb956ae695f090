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

/**
 * Sends {@value #CLAIMS} claims of one vCPU on one host to placement, {@value #CLIENTS} at a time. Checks that the host
 * is not overbooked and that no claim failed with a conflict, and releases the claims.
 */
record Race(RestClient placement, DemoFleet fleet, Screen screen) {
    private static final int CLAIMS = 1000;
    private static final int CLIENTS = 32;
    private static final int CLAIMED = 204;
    private static final String CONFLICT = "placement.concurrent_update";

    void run(DemoHost host) throws ApiFailure, InterruptedException {
        DemoFleet.Room before = fleet.vcpus().get(host.index());
        screen.line("  %s has room for %d vCPUs, %d are in use: %d are free.".formatted(
                screen.strong(host.name()), before.capacity(), before.used(), before.free()));
        long began = System.nanoTime();
        List<RestClient.Response> answers = claim(host);
        double seconds = (System.nanoTime() - began) / 1e9;
        long claimed = answers.stream().filter(answer -> answer.status() == CLAIMED).count();
        long conflicts = answers.stream()
                .filter(answer -> answer.error().path("code").asText().equals(CONFLICT)).count();
        long used = placement.get("/resource_providers/" + host.uuid() + "/usages")
                .path("usages").path("VCPU").asLong();
        screen.line("  %,d claims of 1 vCPU each, %d at a time, in %.2f s:".formatted(CLAIMS, CLIENTS, seconds));
        screen.line("");
        String row = "  %7d  %s";
        screen.line(screen.good(row.formatted(claimed, "hold")));
        screen.line(row.formatted(answers.size() - claimed - conflicts, "refused, as the host was full"));
        screen.line(verdict(row.formatted(conflicts, "conflicts: no client had to try again"), conflicts == 0));
        long over = Math.max(0, used - before.capacity());
        screen.line(verdict(
                row.formatted(over, "overbooked: %d of %d are in use now".formatted(used, before.capacity())),
                over == 0));
        if (over > 0 || conflicts > 0 || before.used() + claimed != used) {
            throw new ApiFailure("the race did not end as it should");
        }
        for (int i = 0; i < CLAIMS; i++) {
            if (answers.get(i).status() == CLAIMED) {
                placement.send("DELETE", path(i), null, 204);
            }
        }
    }

    private String verdict(String row, boolean isGood) {
        return isGood ? screen.good(row) : screen.bad(row);
    }

    private List<RestClient.Response> claim(DemoHost host) throws ApiFailure, InterruptedException {
        ObjectNode body = RestClient.object();
        body.putObject("allocations").putObject(host.uuid().toString()).putObject("resources").put("VCPU", 1);
        body.put("project_id", "demo").put("user_id", "demo").put("consumer_type", "INSTANCE");
        body.putNull("consumer_generation");
        List<Future<RestClient.Response>> sent = new ArrayList<>();
        List<RestClient.Response> answers = new ArrayList<>();
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLAIMS; i++) {
                String path = path(i);
                sent.add(clients.submit(() -> placement.call("PUT", path, body, CLAIMED, 409)));
            }
            for (Future<RestClient.Response> each : sent) {
                answers.add(each.get());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
        return answers;
    }

    private static String path(int number) {
        return "/allocations/" + DemoHost.uuidOf("claim/" + number);
    }
}
