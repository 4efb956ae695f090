package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests for dedicated CPUs where a host has both dedicated and shared CPUs: such a host gives them no shared ones.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class DedicatedCpusIT {
    private final Fleet fleet = new Fleet();
    private String spec;

    @BeforeEach
    void createAHostWithDedicatedAndSharedCpus() {
        host("both", Map.of("PCPU", Map.of("total", 4), "VCPU", Map.of("total", 4)));
        spec = fleet.spec(2, "").replace("\"required\"}", "\"required\", \"hw:cpu_policy\": \"dedicated\"}");
    }

    private void host(String name, Map<String, Map<String, Integer>> processors) {
        Map<String, Object> inventories = new java.util.HashMap<>(processors);
        inventories.put("MEMORY_MB", Map.of("total", 8192));
        inventories.put("DISK_GB", Map.of("total", 200));
        Providers.add(UUID.randomUUID().toString(), fleet.name(name), null, inventories, List.of(fleet.trait()));
    }

    private String claim() {
        String instance = instances(1).getFirst();
        int status =
                select("{\"instance_uuids\": [\"" + instance + "\"], \"request_spec\": " + spec + "}").statusCode();
        return status + " " + Fleet.allocations(instance).values().stream()
                .map(held -> held.containsKey("PCPU") ? "PCPU:" + held.get("PCPU") : "VCPU:" + held.get("VCPU"))
                .toList();
    }

    @Test
    void allocatesEachDedicatedCpuOnce() {
        JsonPath counted = CapacityIT.count(spec, "");
        assertThat(counted.getInt("requests[0].count")).as(counted.prettify()).isEqualTo(2);
        assertThat(List.of(claim(), claim(), claim())).containsExactly("200 [PCPU:2]", "200 [PCPU:2]", "409 []");
        counted = CapacityIT.count(spec, "");
        assertThat(counted.getInt("requests[0].count")).as(counted.prettify()).isZero();
        assertThat(counted.getMap("requests[0].binding")).isEqualTo(Map.of("PCPU", 1));
        admin().body("{\"request_spec\": " + spec + ", \"hosts\": [\"" + fleet.name("both") + "\"]}")
                .post("/v1/explanations").then().statusCode(200)
                .body("hosts[0].verdict", equalTo("rejected"))
                .body("hosts[0].obstacles.by", contains("resources=PCPU:2"));
        admin().body("{\"ask\": {\"placements\": [" + spec + "]}}")
                .post("/v1/what_if").then().statusCode(200)
                .body("after.placements[0].code", equalTo("scheduler.no_valid_host"));
    }

    @Test
    void fallsBackToSharedCpusOnHostsWithoutDedicatedOnes() {
        host("shared", Map.of("VCPU", Map.of("total", 4)));
        assertThat(CapacityIT.count(spec, "").getInt("requests[0].count")).isEqualTo(4);
        assertThat(List.of(claim(), claim(), claim(), claim(), claim()))
                .containsExactlyInAnyOrder("200 [PCPU:2]", "200 [PCPU:2]", "200 [VCPU:2]", "200 [VCPU:2]", "409 []");
    }
}
