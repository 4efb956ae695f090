package io.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that after a replica has acknowledged a write, the other replica on the same database shows it in its next
 * response.
 */
@Tag("process")
class FreshnessIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Every route that changes something in upstream's table; the test must use all of them. */
    private static final Set<String> MUTATING_ROUTES = Set.of(
            "POST /resource_classes", "PUT /resource_classes/{}", "DELETE /resource_classes/{}",
            "PUT /traits/{}", "DELETE /traits/{}",
            "POST /resource_providers", "PUT /resource_providers/{}", "DELETE /resource_providers/{}",
            "POST /resource_providers/{}/inventories", "PUT /resource_providers/{}/inventories",
            "DELETE /resource_providers/{}/inventories", "PUT /resource_providers/{}/inventories/{}",
            "DELETE /resource_providers/{}/inventories/{}", "PUT /resource_providers/{}/aggregates",
            "PUT /resource_providers/{}/traits", "DELETE /resource_providers/{}/traits",
            "POST /allocations", "PUT /allocations/{}", "DELETE /allocations/{}", "POST /reshaper");

    private static final int WRITERS = 8;
    /** The number of claims of each writer, as many as fit on its host. */
    private static final int CLAIMS = 60;

    private static ReplicaProcess a;
    private static ReplicaProcess b;
    private final Set<String> usedRoutes = new TreeSet<>();
    /** Versions of the provider tree by its content. */
    private final Map<String, Long> versions = new HashMap<>();
    /** The id of the tree's root, or 0 before it is created. */
    private long root;
    /** Part of all names of this run. */
    private final String tag = UUID.randomUUID().toString().substring(0, 8).toUpperCase(Locale.ROOT);

    @BeforeAll
    static void startTwoReplicas() {
        a = ReplicaProcess.start();
        b = ReplicaProcess.start();
    }

    @AfterAll
    static void stop() {
        for (ReplicaProcess replica : new ReplicaProcess[] {a, b}) {
            if (replica != null) {
                replica.close();
            }
        }
    }

    @Test
    void everyWriteIsVisibleToTheNextReadThroughTheOtherReplica() {
        String host = UUID.randomUUID().toString();
        String child = UUID.randomUUID().toString();
        String vm = UUID.randomUUID().toString();
        String other = UUID.randomUUID().toString();
        String aggregate = UUID.randomUUID().toString();
        String provider = "/resource_providers/" + host;

        write("POST", "/resource_classes", "{\"name\": \"CUSTOM_A_" + tag + "\"}");
        assertThat(read("/resource_classes").findValuesAsText("name")).contains("CUSTOM_A_" + tag);
        write("PUT", "/resource_classes/CUSTOM_B_" + tag, null);
        assertThat(status("/resource_classes/CUSTOM_B_" + tag)).isEqualTo(200);
        write("DELETE", "/resource_classes/CUSTOM_B_" + tag, null);
        assertThat(status("/resource_classes/CUSTOM_B_" + tag)).isEqualTo(404);
        write("PUT", "/traits/CUSTOM_T_" + tag, null);
        assertThat(status("/traits/CUSTOM_T_" + tag)).isEqualTo(204);
        write("PUT", "/traits/CUSTOM_U_" + tag, null);
        write("DELETE", "/traits/CUSTOM_U_" + tag, null);
        assertThat(status("/traits/CUSTOM_U_" + tag)).isEqualTo(404);

        write("POST", "/resource_providers", "{\"uuid\": \"%s\", \"name\": \"host-%s\"}".formatted(host, tag));
        assertThat(read(provider).get("generation").intValue()).isZero();
        root = rootId(host);
        write("POST", "/resource_providers",
                "{\"uuid\": \"%s\", \"name\": \"child-%s\", \"parent_provider_uuid\": \"%s\"}"
                        .formatted(child, tag, host));
        assertThat(read("/resource_providers?in_tree=" + host).get("resource_providers")).hasSize(2);
        write("PUT", provider, "{\"name\": \"renamed-" + tag + "\"}");
        assertThat(read("/resource_providers?name=renamed-" + tag).get("resource_providers")).hasSize(1);

        write("PUT", provider + "/inventories", """
                {"resource_provider_generation": %d, "inventories": {"VCPU": {"total": 8}, "DISK_GB": {"total": 9}}}"""
                .formatted(generation(host)));
        assertThat(candidates("VCPU:8")).contains(host);
        write("POST", provider + "/inventories", """
                {"resource_provider_generation": %d, "resource_class": "MEMORY_MB", "total": 64}"""
                .formatted(generation(host)));
        assertThat(candidates("MEMORY_MB:64")).contains(host);
        write("PUT", provider + "/inventories/VCPU", """
                {"resource_provider_generation": %d, "total": 16}""".formatted(generation(host)));
        assertThat(candidates("VCPU:16")).contains(host);
        write("DELETE", provider + "/inventories/DISK_GB", null);
        assertThat(candidates("DISK_GB:9")).doesNotContain(host);

        write("PUT", provider + "/traits", """
                {"resource_provider_generation": %d, "traits": ["CUSTOM_T_%s"]}""".formatted(generation(host), tag));
        assertThat(uuids(read("/resource_providers?required=CUSTOM_T_" + tag))).containsExactly(host);
        write("DELETE", provider + "/traits", null);
        assertThat(uuids(read("/resource_providers?required=CUSTOM_T_" + tag))).isEmpty();
        write("PUT", provider + "/aggregates", """
                {"resource_provider_generation": %d, "aggregates": ["%s"]}""".formatted(generation(host), aggregate));
        assertThat(uuids(read("/resource_providers?member_of=" + aggregate))).containsExactly(host);

        write("PUT", "/allocations/" + vm, claim(host, "VCPU", 16, "null"));
        assertThat(used(host, "VCPU")).isEqualTo(16);
        assertThat(candidates("VCPU:1")).doesNotContain(host);
        assertThat(read("/usages?project_id=" + tag).at("/usages/INSTANCE/VCPU").intValue()).isEqualTo(16);
        write("POST", "/allocations", "{\"%s\": %s, \"%s\": %s}".formatted(
                vm, claim(host, "VCPU", 2, "1"), other, claim(host, "MEMORY_MB", 4, "null")));
        assertThat(used(host, "VCPU")).isEqualTo(2);
        assertThat(read(provider + "/allocations").get("allocations")).hasSize(2);
        write("DELETE", "/allocations/" + other, null);
        assertThat(used(host, "MEMORY_MB")).isZero();

        write("POST", "/reshaper", """
                {"inventories": {
                   "%1$s": {"resource_provider_generation": %2$d, "inventories": {"MEMORY_MB": {"total": 64}}},
                   "%3$s": {"resource_provider_generation": %4$d, "inventories": {"VCPU": {"total": 16}}}},
                 "allocations": {"%5$s": %6$s}}""".formatted(
                host, generation(host), child, generation(child), vm, claim(child, "VCPU", 2, "2")));
        assertThat(used(child, "VCPU")).isEqualTo(2);
        assertThat(candidates("VCPU:14")).contains(child);

        try (ReplicaProcess restarted = ReplicaProcess.start()) {
            assertThat(tree(restarted)).isEqualTo(tree(a));
        }
        write("DELETE", provider + "/inventories", null);
        assertThat(read(provider + "/inventories").get("inventories")).isEmpty();
        write("DELETE", "/allocations/" + vm, null);
        assertThat(used(child, "VCPU")).isZero();
        write("DELETE", "/resource_providers/" + child, null);
        assertThat(status("/resource_providers/" + child)).isEqualTo(404);
        write("DELETE", provider, null);
        assertThat(uuids(read("/resource_providers?name=renamed-" + tag))).isEmpty();

        assertThat(usedRoutes).containsExactlyInAnyOrderElementsOf(MUTATING_ROUTES);
        assertThat(versions).hasSizeGreaterThan(12);
        assertThat(versions.values()).doesNotHaveDuplicates();
    }

    /**
     * Eight concurrent writers claim on their own hosts through both replicas in turn, and read through the other
     * replica.
     */
    @Test
    void everyClaimIsVisibleThroughTheOtherReplicaUnderLoad() throws Exception {
        try (var writers = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                String host = UUID.randomUUID().toString();
                write("POST", "/resource_providers", "{\"uuid\": \"%s\", \"name\": \"busy-%s\"}".formatted(host, host));
                write("PUT", "/resource_providers/" + host + "/inventories", """
                        {"resource_provider_generation": 0, "inventories": {"SRIOV_NET_VF": {"total": %d}}}"""
                        .formatted(CLAIMS));
                running.add(writers.submit(() -> claimAndRead(host)));
            }
            for (Future<?> writer : running) {
                writer.get();
            }
        }
    }

    private void claimAndRead(String host) {
        for (int claimed = 1; claimed <= CLAIMS; claimed++) {
            ReplicaProcess writes = claimed % 2 == 0 ? a : b;
            ReplicaProcess reads = claimed % 2 == 0 ? b : a;
            var claim = writes.call("PUT", "/allocations/" + UUID.randomUUID(), claim(host, "SRIOV_NET_VF", 1, "null"));
            assertThat(claim.status()).as(claim.body()).isEqualTo(204);
            var usages = reads.call("GET", "/resource_providers/" + host + "/usages", null);
            assertThat(usages.body()).contains("\"SRIOV_NET_VF\":" + claimed);
        }
    }

    /** Sends a write to replica A, which must succeed, and compares the tree on both replicas. */
    private void write(String method, String path, String body) {
        var reply = a.call(method, path, body);
        assertThat(reply.status()).as("%s %s: %s", method, path, reply.body()).isBetween(200, 204);
        String[] parts = path.split("/");
        for (int i = 2; i < parts.length; i += 2) {
            parts[i] = "{}";
        }
        usedRoutes.add(method + " " + String.join("/", parts));
        if (root != 0) {
            JsonNode expected = tree(a);
            assertThat(tree(b)).as("after %s %s", method, path).isEqualTo(expected);
            if (!expected.isMissingNode()) {
                String shown = expected.get("providers").toString();
                long version = expected.get("version").longValue();
                assertThat(versions.merge(shown, version, (before, now) -> before)).isEqualTo(version);
            }
        }
    }

    /** Returns the tree from this replica, or a missing node if it is deleted. */
    private JsonNode tree(ReplicaProcess replica) {
        return trees(replica, List.of(root)).path(0);
    }

    private static JsonNode trees(ReplicaProcess replica, List<Long> ids) {
        var reply = replica.call("POST", "/berth/v1/provider_trees", "{\"ids\": " + ids + "}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return parsed(reply.body()).get("trees");
    }

    /** Finds the id of the root, which no other route returns. */
    private static long rootId(String host) {
        for (long first = 1; first < 1_000_000; first += 10_000) {
            for (JsonNode tree : trees(b, LongStream.range(first, first + 10_000).boxed().toList())) {
                if (tree.at("/providers/0/uuid").asText().equals(host)) {
                    return tree.get("id").longValue();
                }
            }
        }
        throw new AssertionError("no tree with root " + host);
    }

    /** Reads from replica B. */
    private static JsonNode read(String path) {
        var reply = b.call("GET", path, null);
        assertThat(reply.status()).as("GET %s: %s", path, reply.body()).isEqualTo(200);
        return parsed(reply.body());
    }

    private static JsonNode parsed(String body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + body, e);
        }
    }

    private static int status(String path) {
        return b.call("GET", path, null).status();
    }

    private static int generation(String provider) {
        return read("/resource_providers/" + provider).get("generation").intValue();
    }

    private static long used(String provider, String resourceClass) {
        return read("/resource_providers/" + provider + "/usages").at("/usages/" + resourceClass).longValue();
    }

    /** Returns the uuids of all providers in the allocation requests for these resources. */
    private static List<String> candidates(String resources) {
        List<String> uuids = new ArrayList<>();
        read("/allocation_candidates?resources=" + resources).get("allocation_requests").forEach(
                request -> request.get("allocations").fieldNames().forEachRemaining(uuids::add));
        return uuids;
    }

    private static List<String> uuids(JsonNode providers) {
        return providers.get("resource_providers").findValuesAsText("uuid");
    }

    private String claim(String provider, String resourceClass, int amount, String generation) {
        return """
                {"allocations": {"%s": {"resources": {"%s": %d}}}, "project_id": "%s", "user_id": "u",
                 "consumer_generation": %s, "consumer_type": "INSTANCE"}""".formatted(
                provider, resourceClass, amount, tag, generation);
    }
}
