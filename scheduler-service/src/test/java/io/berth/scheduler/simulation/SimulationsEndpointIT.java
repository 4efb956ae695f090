package io.berth.scheduler.simulation;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests simulations over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class SimulationsEndpointIT {
    private static final String FLAVOR = "\"flavor\": {\"vcpus\": 1, \"memory_mb\": 512}";

    @Test
    void explainsEveryVerdictOfADecision() {
        simulate("""
                {"hosts": [{"host": "a", "free_ram_mb": 1000}, {"host": "b", "free_ram_mb": 500},
                           {"host": "c", "service": {"up": false}}],
                 "request_spec": {%s},
                 "options": {"enabled_filters": ["ComputeFilter"], "weight_classes": ["RAMWeigher"]}}
                """.formatted(FLAVOR))
                .statusCode(200)
                .body("result", equalTo("selected"))
                .body("error", nullValue())
                .body("instances", hasSize(1))
                .body("instances[0].filters[0].rejected[0].host", equalTo("c"))
                .body("instances[0].filters[0].rejected[0].reason", equalTo("service is down"))
                .body("instances[0].filters[0].hosts_out.host", contains("a", "b"))
                .body("instances[0].weighers[0].weights.raw", contains(1000.0f, 500.0f))
                .body("instances[0].weighers[0].weights.score", contains(1.0f, 0.5f))
                .body("instances[0].ranked.host", contains("a", "b"))
                .body("selections[0].host", contains("a", "b"));
    }

    @Test
    void reportsAContradictionOfFlavorAndImageAsAnError() {
        simulate("""
                {"hosts": [{"host": "a"}],
                 "request_spec": {"flavor": {"vcpus": 1, "memory_mb": 512,
                    "extra_specs": {"hw:cpu_policy": "shared"}},
                    "image": {"properties": {"hw_cpu_policy": "dedicated"}}}}
                """)
                .statusCode(200)
                .body("result", equalTo("error"))
                .body("error.stage", equalTo("constraints"))
                .body("error.name", nullValue())
                .body("instances", empty());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "not json | the body is not JSON",
        "[] | $: must be an object",
        "{} | $.request_spec: is required",
        "{\"request_spec\": {}} | $.request_spec.flavor: is required",
        "{\"request_spec\": {\"flavor\": {}}, \"colour\": 1} | $.colour: unknown member",
        "{\"request_spec\": {\"flavor\": {\"ram\": 1}}} | $.request_spec.flavor.ram: unknown member",
        "{\"request_spec\": {\"flavor\": {\"vcpus\": 1.5}}} | $.request_spec.flavor.vcpus: must be an integer",
        "{\"request_spec\": {\"flavor\": {}, \"instance_uuid\": \"x\"}} | $.request_spec.instance_uuid: must be a uuid",
        "{\"request_spec\": {\"flavor\": {}, \"num_instances\": 0}} | $.request_spec.num_instances: must be 1 to",
        "{\"request_spec\": {\"flavor\": {}}, \"hosts\": [{}]} | $.hosts[0].host: is required",
        "{\"request_spec\": {\"flavor\": {}}, \"hosts\": [{\"host\": \"a\", \"cores\": 1}]} | $.hosts[0].cores:"
                + " unknown member",
        "{\"request_spec\": {\"flavor\": {}}, \"hosts\": [{\"host\": \"a\"}, {\"host\": \"a\"}]} | exists already",
        "{\"request_spec\": {\"flavor\": {}}, \"options\": {\"enabled_filters\": [\"NoFilter\"]}} | unknown filter"
                + " 'NoFilter'",
        "{\"request_spec\": {\"flavor\": {}}, \"options\": {\"weight_classes\": [\"NoWeigher\"]}} | unknown weigher"
                + " 'NoWeigher'",
        "{\"request_spec\": {\"flavor\": {}}, \"options\": {\"nope\": 1}} | $.options.nope: unknown option",
        "{\"request_spec\": {\"flavor\": {}}, \"options\": {\"metrics\": {\"nope\": 1}}} | $.options.metrics.nope:"
                + " unknown option",
        "{\"request_spec\": {\"flavor\": {}}, \"options\": {\"host_subset_size\": \"2\"}} |"
                + " $.options.host_subset_size: must be an integer",
        "{\"request_spec\": {\"flavor\": {}}, \"options\": \"mine\"} | $.options: must be an object",
    })
    void refusesInvalidBodiesAndNamesTheMember(String body, String detail) {
        simulate(body)
                .statusCode(400)
                .body("errors[0].status", equalTo(400))
                .body("errors[0].code", equalTo("scheduler.request_invalid"))
                .body("errors[0].detail", containsString(detail));
    }

    @Test
    void usesTheConfiguredOptionsOnRequest() {
        simulate("{\"hosts\": [], \"request_spec\": {%s}, \"options\": \"configured\"}".formatted(FLAVOR))
                .statusCode(200)
                .body("result", equalTo("no_valid_host"));
    }

    @Test
    void refusesMoreHostsThanOneSimulationMayHold() {
        var hosts = new StringBuilder();
        for (int i = 0; i <= 5000; i++) {
            hosts.append(i == 0 ? "" : ",").append("{\"host\": \"h").append(i).append("\"}");
        }
        simulate("{\"hosts\": [%s], \"request_spec\": {%s}}".formatted(hosts, FLAVOR))
                .statusCode(413)
                .body("errors[0].detail", equalTo("5001 hosts: at most 5000 are allowed"));
    }

    @Test
    void createsInstancesIfOnlyTheirNumberIsGiven() {
        int rounds = simulate(
                "{\"hosts\": [{\"host\": \"a\"}], \"request_spec\": {\"num_instances\": 3, %s}}".formatted(FLAVOR))
                .statusCode(200)
                .extract()
                .path("instances.size()");
        assertThat(rounds).isEqualTo(3);
    }

    /** Unusual but valid input must get a verdict, and never fail the service. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{\"numa_topology\": {\"cells\": []}, FLAVOR}",
        "{\"image\": {\"properties\": {\"img_mappings\": [null], \"hw_boot_menu\": null}}, FLAVOR}",
        "{\"image\": {\"properties\": {\"hw_architecture\": \"nothing\"}}, FLAVOR}",
        "{\"pci_requests\": [{\"request_id\": null, \"count\": 0, \"spec\": [{}]}], FLAVOR}",
        "{\"requested_resources\": [{\"requester_id\": null}], FLAVOR}",
        "{\"instance_group\": {}, FLAVOR}",
        "{\"instance_group\": {\"policy\": \"anti-affinity\", \"rules\": {}}, FLAVOR}",
        "{\"requested_destination\": {}, FLAVOR}",
        "{\"retry\": {}, FLAVOR}",
        "{\"scheduler_hints\": {\"same_host\": [], \"query\": \"[[]]\"}, FLAVOR}",
        "{\"flavor\": {\"extra_specs\": {\":\": \"\", \"capabilities:\": \"x\", \"capabilities\": \"<or>\", \"\":"
                + " \"\"}}}",
    })
    void respondsToUnusualInputWithAVerdict(String spec) {
        simulate("""
                {"hosts": [{"host": "a", "numa_topology": {"cells": [{"id": 0, "cpuset": [0], "memory": 64}]},
                            "pci_stats": {"pools": [{"count": 1}]}, "stats": {"": null}, "metrics": [],
                            "aggregates": [{}], "instances": {"x": {}}, "supported_instances": [[]]},
                           {"host": "b", "cpu_info": 5, "numa_topology": null, "limits": {"numa_topology": {}}}],
                 "request_spec": %s,
                 "options": {"enabled_filters": %s}}
                """.formatted(spec.replace("FLAVOR", FLAVOR), ALL))
                .statusCode(200);
    }

    private static final String ALL =
            """
            ["ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter", "ServerGroupAntiAffinityFilter",
             "ServerGroupAffinityFilter", "NUMATopologyFilter", "PciPassthroughFilter", "JsonFilter", "RetryFilter",
             "AggregateInstanceExtraSpecsFilter", "AggregateImagePropertiesIsolation", "SameHostFilter",
             "SimpleCIDRAffinityFilter", "MetricsFilter"]""";

    private static ValidatableResponse simulate(String body) {
        return given().header("x-auth-token", "admin").contentType("application/json").body(body)
                .post("/v1/simulations").then();
    }
}
