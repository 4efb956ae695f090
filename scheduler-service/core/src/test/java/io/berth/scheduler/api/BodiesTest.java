package io.berth.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.selection.RescheduleRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that errors name the path in the body, however deep it is. */
class BodiesTest {
    private static final String INSTANCE = "10000000-0000-0000-0000-000000000001";

    /** Single quotes stand for double ones. */
    private static JsonNode json(String text) {
        return JsonBody.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{'flavor':{'extra_specs':{'a':1}}} | .flavor.extra_specs.a: must be a string",
        "{'flavor':{'extra_specs':[]}} | .flavor.extra_specs: must be an object",
        "{'flavor':{'vcpus':4294967296}} | .flavor.vcpus: must be an integer of 32 bits",
        "{'flavor':{'vcpus':-1}} | .flavor.vcpus: must not be negative",
        "{'flavor':{'id':1e30}} | .flavor.id: must be an integer of 64 bits",
        "{'flavor':7} | .flavor: must be an object",
        "{'flavor':null} | .flavor: is required",
        "{'flavor':{},'num_instances':1001} | .num_instances: must be 1 to 1000",
        "{'flavor':{},'is_bfv':'true'} | .is_bfv: must be true or false",
        "{'flavor':{},'ignore_hosts':'h'} | .ignore_hosts: must be a list",
        "{'flavor':{},'ignore_hosts':['h',null]} | .ignore_hosts[1]: must be a string",
        "{'flavor':{},'instance_uuids':['1-1-1-1-1']} | .instance_uuids[0]: must be a uuid",
        "{'flavor':{},'scheduler_hints':{'group':['g',1]}} | .scheduler_hints.group: must be a string or a list of"
                + " strings",
        "{'flavor':{},'instance_group':{'rules':{'max':1}}} | .instance_group.rules.max: unknown member",
        "{'flavor':{},'requested_destination':{'cell':{'id':1}}} | .requested_destination.cell.id: unknown member",
        "{'flavor':{},'requested_resources':[{},{'resources':{'VCPU':-1}}]} | .requested_resources[1].resources.VCPU:"
                + " must be between 0 and",
        "{'flavor':{},'requested_resources':[{'aggregates':[['a'],[1]]}]} | .requested_resources[0].aggregates[1][0]:"
                + " must be a string",
        "{'flavor':{},'requested_resources':[{'in_tree':'x'}]} | .requested_resources[0].in_tree: must be a uuid",
        "{'flavor':{},'request_level_params':{'same_subtree':['a']}} | .request_level_params.same_subtree[0]: must be"
                + " a list",
        "{'flavor':{},'retry':{'hosts':[{'nodename':'n'}]}} | .retry.hosts[0].host: is required and must not be empty",
        "{'flavor':{},'numa_topology':{'cells':[{'cpuset':[0,65536]}]}} | .numa_topology.cells[0].cpuset[1]: must be"
                + " a CPU number up to 65535",
        "{'flavor':{},'numa_topology':{'cells':[{'cpu_policy':'own'}]}} | .numa_topology.cells[0].cpu_policy: must"
                + " be one of shared, dedicated, mixed, not 'own'",
        "{'flavor':{},'pci_requests':[{'spec':[1]}]} | .pci_requests[0].spec[0]: must be an object",
        "{'flavor':{},'limits':1} | .limits: must be an object"})
    void refusesInvalidRequestSpecs(String spec, String complaint) {
        JsonNode body = json("{'request_spec':" + spec + "}");
        assertThatThrownBy(() -> SelectBody.read(body))
                .isInstanceOf(ApiFault.class)
                .hasMessageStartingWith("$.request_spec" + complaint.replace('"', '\''));
    }

    @Test
    void aListOfTooManyInstancesIsNamed() {
        String uuids = String.join(",", Collections.nCopies(1_001, "'" + INSTANCE + "'"));
        JsonNode body = json("{'request_spec':{'flavor':{},'instance_uuids':[" + uuids + "]}}");
        assertThatThrownBy(() -> SelectBody.read(body))
                .isInstanceOf(ApiFault.class)
                .hasMessage("$.request_spec.instance_uuids: must have at most 1000 elements");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "'host':'h' | $.failed.allocation_request: is required",
        "'allocation_request':{'allocations':{'p':{'resources':{'VCPU':1}}}} | $.failed.host: is required",
        "'host':'h','allocation_request':{} | $.failed.allocation_request.allocations: must not be empty",
        "'host':'h','allocation_request':{'allocations':{'p':[]}} | $.failed.allocation_request.allocations.p: must"
                + " be an object",
        "'host':'h','allocation_request':{'allocations':{'p':{'amount':1}}} |"
                + " $.failed.allocation_request.allocations.p.amount: unknown member",
        "'host':'h','allocation_request':{'allocations':{'p':{'resources':{'VCPU':2147483648}}}} |"
                + " $.failed.allocation_request.allocations.p.resources.VCPU: must be between 0 and 2147483647",
        "'host':'h','allocation_request':{'allocations':{'p':{}},'mappings':{'':['p']}} |"
                + " $.failed.allocation_request.mappings.[0]: must be a uuid"})
    void refusesInvalidFailedSelections(String selection, String complaint) {
        JsonNode body = json("{'instance_uuid':'" + INSTANCE + "','failed':{" + selection + "}}");
        assertThatThrownBy(() -> RescheduleBody.read(body))
                .isInstanceOf(ApiFault.class)
                .hasMessageStartingWith(complaint);
    }

    @Test
    void acceptsSelectionMembersThatOnlyTheClientReads() {
        String selection = "{'host':'h','weight':1.5,'limits':{},'cell_uuid':null,'allocation_request_version':'1.36',"
                + "'allocation_request':{'allocations':{'p':{'resources':{'VCPU':1}}}}}";
        RescheduleRequest read = RescheduleBody.read(json("{'instance_uuid':'" + INSTANCE + "','failed':" + selection
                + ",'alternates':[" + selection + "]}"));
        assertThat(read.failed().request().allocations()).isEqualTo(Map.of("p", Map.of("VCPU", 1L)));
        assertThat(read.alternates()).hasSize(1);
    }
}
