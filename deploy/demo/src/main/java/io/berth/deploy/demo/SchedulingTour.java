package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.stream.IntStream;

/** Asks the scheduler for destinations and prints what it decided, one line per instance. */
final class SchedulingTour {
    private static final int BATCH = 10;
    /** Every consumer that a tour may leave behind. */
    static final List<UUID> INSTANCES = IntStream.rangeClosed(1, 2 * BATCH + 1)
            .mapToObj(i -> DemoFleet.uuidOf("demo-instance-" + i))
            .toList();

    private static final Set<String> ENVELOPE = Set.of("status", "title", "detail", "code", "request_id", "links");

    private final JsonApi scheduler;
    private final PrintStream out;

    SchedulingTour(JsonApi scheduler, PrintStream out) {
        this.scheduler = scheduler;
        this.out = out;
    }

    void tenInOneRequest() throws IOException, InterruptedException, UnexpectedAnswer {
        out.println("\nTen instances (2 vCPUs, 4 GiB, 20 GB each) in one request "
                + "(a host chosen for one is no alternate for the others):");
        print(1, select(INSTANCES.subList(0, BATCH), 2, Set.of(200)).body());
    }

    void tenOneByOne() throws IOException, InterruptedException, UnexpectedAnswer {
        out.println("\nTen more, one request each:");
        for (int i = BATCH; i < 2 * BATCH; i++) {
            print(i + 1, select(INSTANCES.subList(i, i + 1), 2, Set.of(200)).body());
        }
    }

    void oneThatFitsNowhere() throws IOException, InterruptedException, UnexpectedAnswer {
        out.println("\nAnd one with 128 vCPUs, which no host has:");
        JsonApi.Answer refusal = select(INSTANCES.subList(2 * BATCH, 2 * BATCH + 1), 128, Set.of(409));
        out.println("  " + refusal.error().path("code").asText() + ": " + refusal.detail());
        // What the scheduler adds to placement's envelope: counts per stage, the nearest miss.
        refusal.error().properties().stream()
                .filter(field -> !ENVELOPE.contains(field.getKey()))
                .forEach(field -> out.println("  " + field.getKey() + ": " + field.getValue()));
    }

    private JsonApi.Answer select(List<UUID> instances, int vcpus, Set<Integer> expected)
            throws IOException, InterruptedException, UnexpectedAnswer {
        ObjectNode spec = JsonApi.object();
        spec.put("project_id", DemoFleet.uuidOf("demo-project").toString());
        spec.put("user_id", DemoFleet.uuidOf("demo-user").toString());
        spec.put("num_instances", instances.size());
        ObjectNode flavor = spec.putObject("flavor");
        flavor.put("name", "demo").put("flavorid", "demo");
        flavor.put("vcpus", vcpus).put("memory_mb", 4096).put("root_gb", 20);
        flavor.putObject("extra_specs").put("trait:" + DemoFleet.TRAIT, "required");
        ObjectNode body = JsonApi.object();
        body.set("request_spec", spec);
        ArrayNode uuids = body.putArray("instance_uuids");
        instances.forEach(uuid -> uuids.add(uuid.toString()));
        body.put("return_alternates", true);
        return scheduler.send("POST", "/v1/select_destinations", body, expected);
    }

    private void print(int number, JsonNode reply) {
        for (JsonNode selection : reply.path("selections")) {
            var alternates = new StringJoiner(", ");
            alternates.setEmptyValue("none");
            for (int i = 1; i < selection.size(); i++) {
                alternates.add(selection.path(i).path("host").asText());
            }
            JsonNode selected = selection.path(0);
            out.printf("  instance %2d  %s  weight %.4f  alternates: %s%n",
                    number++, selected.path("host").asText(), selected.path("weight").asDouble(), alternates);
        }
    }
}
