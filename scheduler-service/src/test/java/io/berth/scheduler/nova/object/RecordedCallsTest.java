package io.berth.scheduler.nova.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.api.SelectBody;
import io.berth.scheduler.nova.Recorded;
import io.berth.scheduler.nova.message.Envelope;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.Image;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.SchedulerHints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that nova's recorded calls are read as the requests they are, and that replies are written as recorded. */
class RecordedCallsTest {
    private static final String CELL = "7170706e-3dd6-4163-ae87-8b2ee4b9aed3";
    private static final Flavor SMALL = new Flavor(1L, "small", "1", 1, 1024, 10, 0, 0, Map.of());
    private static final Flavor MEDIUM = new Flavor(2L, "medium", "2", 2, 2048, 20, 0, 0, Map.of());

    static Stream<String> calls() {
        return Recorded.CALLS.stream();
    }

    private static Message message(JsonNode recorded) {
        return ((Envelope.Read.Understood) Envelope.read(Recorded.body(recorded))).message();
    }

    private static SelectBody read(String recordedName) {
        return SelectBody.read(SelectCall.of(message(Recorded.call(recordedName)).args()).body());
    }

    private static RequestSpec.Builder base(String recordedName) {
        List<String> instances = StreamSupport
                .stream(Recorded.call(recordedName).at("/args/instance_uuids").spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
        return RequestSpec.of(SMALL)
                .instanceUuid(Recorded.call(recordedName)
                        .at("/args/spec_obj/nova_object.data/instance_uuid").textValue())
                .instanceUuids(instances)
                .numInstances(instances.size())
                .projectId("b".repeat(32))
                .userId("a".repeat(32))
                .image(new Image("11111111-2222-4333-8444-555555555555", "cirros", "raw", Map.of()));
    }

    private static RequestSpec expected(String recordedName) {
        RequestSpec.Builder spec = base(recordedName);
        RequestedDestination cell = new RequestedDestination(null, null, CELL, false);
        return switch (recordedName) {
            case "boot" -> spec.build();
            case "az" -> spec.availabilityZone("az1").build();
            case "forced_az" -> spec.availabilityZone("nova").forceHosts(List.of("cmp6")).build();
            case "dest-cell_ignore1" ->
                spec(spec, MEDIUM).ignoreHosts(List.of("cmp1")).requestedDestination(cell).build();
            case "dest-cell_ignore1_noalt" ->
                spec(spec, MEDIUM).ignoreHosts(List.of("cmp2")).requestedDestination(cell).build();
            case "dest-cell_ignore1_az_noalt" -> spec
                    .availabilityZone("nova").ignoreHosts(List.of("cmp8")).requestedDestination(cell).build();
            case "dest-cell_noalt" -> spec.requestedDestination(cell).build();
            case "dest-host-node-cell_ignore1" -> spec(spec, MEDIUM)
                    .ignoreHosts(List.of("cmp2"))
                    .requestedDestination(new RequestedDestination("cmp1", "cmp1", CELL, false))
                    .build();
            case "multi3_group" -> {
                String group = "30fc648e-7036-4f03-94e6-494f0c54460f";
                yield spec
                        .schedulerHints(new SchedulerHints(Map.of("group", List.of(group))))
                        .instanceGroup(new InstanceGroup(
                                group, "anti-affinity", null, Set.copyOf(spec.build().instanceUuids()), List.of()))
                        .build();
            }
            case "rebuild_dest-cell_forced_noalt" -> spec
                    .image(new Image("cb606ff9-f97d-4041-8991-75b530aca370", "other", "raw", Map.of()))
                    .schedulerHints(new SchedulerHints(Map.of("_nova_check_type", List.of("rebuild"))))
                    .forceHosts(List.of("cmp7"))
                    .forceNodes(List.of("cmp7"))
                    .requestedDestination(cell)
                    .build();
            default -> throw new AssertionError("no expectation for " + recordedName);
        };
    }

    private static RequestSpec.Builder spec(RequestSpec.Builder of, Flavor flavor) {
        RequestSpec built = of.build();
        return RequestSpec.of(flavor)
                .instanceUuid(built.instanceUuid())
                .instanceUuids(built.instanceUuids())
                .numInstances(built.numInstances())
                .projectId(built.projectId())
                .userId(built.userId())
                .image(built.image());
    }

    @ParameterizedTest
    @MethodSource("calls")
    void readsRecordedCalls(String recordedName) {
        SelectBody body = read(recordedName);
        assertThat(body.request().spec()).isEqualTo(expected(recordedName));
        assertThat(body.request().returnAlternates()).isEqualTo(!recordedName.endsWith("noalt"));
        assertThat(body.request().claims()).isTrue();
        assertThat(body.request().toDerive().numaTopology()).isFalse();
        assertThat(body.request().toDerive().pciRequests()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void writesRepliesAsRecorded(String recordedName) {
        ArrayNode recorded = (ArrayNode) Recorded.reply(recordedName).get("result");
        JsonNode rendered = new Selections(host -> zone(host, recorded), null)
                .render(answer(recorded), SelectCall.of(message(Recorded.call(recordedName)).args()));
        assertThat(comparable(rendered)).isEqualTo(comparable(recorded));
    }

    private static String zone(String host, ArrayNode recorded) {
        return recorded.findParents("service_host").stream()
                .filter(data -> data.get("service_host").textValue().equals(host))
                .map(data -> data.get("availability_zone").textValue())
                .findFirst()
                .orElseThrow();
    }

    /** Returns Berth's response with the content of the recorded reply. */
    private static JsonNode answer(ArrayNode recorded) {
        ObjectNode answer = Recorded.JSON.createObjectNode();
        ArrayNode selections = answer.putArray("selections");
        for (JsonNode ofInstance : recorded) {
            ArrayNode list = selections.addArray();
            for (JsonNode selection : ofInstance) {
                JsonNode data = selection.get("nova_object.data");
                ObjectNode made = list.addObject();
                made.set("compute_node_uuid", data.get("compute_node_uuid"));
                made.set("host", data.get("service_host"));
                made.set("nodename", data.get("nodename"));
                made.set("cell_uuid", data.get("cell_uuid"));
                made.put("weight", 1.5);
                made.putObject("limits");
                made.set("allocation_request", parsed(data.get("allocation_request").textValue()));
                made.put("allocation_request_version", "1.36");
            }
        }
        return answer;
    }

    private static JsonNode parsed(String text) {
        try {
            return Recorded.JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a copy with sorted lists of changes and with parsed allocation requests. */
    private static JsonNode comparable(JsonNode node) {
        JsonNode copy = node.deepCopy();
        for (JsonNode parent : copy.findParents("nova_object.changes")) {
            List<String> names = new ArrayList<>();
            parent.get("nova_object.changes").forEach(name -> names.add(name.textValue()));
            names.sort(null);
            ArrayNode sorted = ((ObjectNode) parent).putArray("nova_object.changes");
            names.forEach(sorted::add);
        }
        for (JsonNode parent : copy.findParents("allocation_request")) {
            ((ObjectNode) parent).set("allocation_request", parsed(parent.get("allocation_request").textValue()));
        }
        // findParents does not look below a parent.
        copy.findParents("limits").forEach(data -> ((ObjectNode) data).set("limits", below(data.get("limits"))));
        return copy;
    }

    private static JsonNode below(JsonNode limits) {
        ObjectNode copy = limits.deepCopy();
        List<String> names = new ArrayList<>();
        copy.get("nova_object.changes").forEach(name -> names.add(name.textValue()));
        names.sort(null);
        ArrayNode sorted = copy.putArray("nova_object.changes");
        names.forEach(sorted::add);
        return copy;
    }

    @Test
    void readsMembersThatNoRecordedCallHas() throws Exception {
        JsonNode args =
                Recorded.JSON.readTree(RecordedCallsTest.class.getResourceAsStream("/nova/made_all_members.json"));
        RequestSpec spec = SelectBody.read(SelectCall.of(args).body()).request().spec();
        assertThat(spec.requestedDestination()).isEqualTo(new RequestedDestination(
                null, null, CELL, true,
                List.of(Set.of("a1", "a2"), Set.of("a3")), Set.of("f1")));
        assertThat(spec.requestLevelParams().sameSubtree()).containsExactly(List.of("port-1", "port-2"));
        assertThat(spec.requestLevelParams().rootRequired()).containsExactly("CUSTOM_ROOT");
        assertThat(spec.requestedResources()).singleElement().satisfies(group -> {
            assertThat(group.requesterId()).isEqualTo("port-1");
            assertThat(group.resources()).isEqualTo(Map.of("NET_BW_EGR_KILOBIT_PER_SEC", 1000L));
            assertThat(group.requiredTraits()).containsExactly("CUSTOM_PHYSNET_1");
        });
        assertThat(spec.instanceGroup().maxServerPerHost()).isEqualTo(2);
        assertThat(spec.instanceGroup().policy()).isEqualTo("anti-affinity");
        assertThat(spec.retry().hosts()).extracting("host", "nodename").containsExactly(
                tuple("h1", "n1"));
        assertThat(spec.numaTopology().cells()).hasSize(2);
        assertThat(spec.numaTopology().cells().getFirst().pcpuset().size()).isEqualTo(2);
        assertThat(spec.numaTopology().cells().getLast().pcpuset().size()).isEqualTo(1);
        assertThat(spec.numaTopology().cells().getLast().cpuset().size()).isZero();
        assertThat(spec.pciRequests()).singleElement().satisfies(request -> {
            assertThat(request.aliasName()).isEqualTo("gpu");
            assertThat(request.count()).isEqualTo(2);
        });
        assertThat(spec.requestedNetworks()).extracting("networkId").containsExactly("net-1");
        assertThat(spec.networkMetadata().physnets()).containsExactly("p1");
        assertThat(spec.bootFromVolume()).isTrue();
        assertThat(spec.image().properties()).containsAllEntriesOf(Map.of(
                "hw_numa_cpus.0", "0,1", "hw_numa_mem.0", 512, "trait:CUSTOM_T", "required", "hw_pmu", true));
    }

    @Test
    void readsTheDictionariesOfOlderCallers() {
        ObjectNode args = Recorded.JSON.createObjectNode();
        ObjectNode spec = args.putObject("request_spec");
        spec.putObject("instance_type").put("vcpus", 1).put("memory_mb", 512).put("root_gb", 1).put("name", "s");
        spec.putObject("instance_properties").put("project_id", "p")
                .put("uuid", "6d9083b2-d05a-4a2e-9062-aecbcb5a39d2");
        spec.putObject("image").put("id", "i").putObject("properties").put("hw_architecture", "x86_64");
        spec.put("num_instances", 2);
        ObjectNode filters = args.putObject("filter_properties");
        filters.putArray("ignore_hosts").add("h1");
        filters.putObject("retry").put("num_attempts", 2).putArray("hosts").addArray().add("h2").add("n2");
        SelectCall call = SelectCall.of(args);
        SelectBody body = SelectBody.read(call.body());
        RequestSpec read = body.request().spec();
        assertThat(read.flavor().memoryMb()).isEqualTo(512);
        assertThat(read.projectId()).isEqualTo("p");
        assertThat(read.ignoreHosts()).containsExactly("h1");
        assertThat(read.retry().hosts().getFirst().nodename()).isEqualTo("n2");
        assertThat(read.image().properties()).containsEntry("hw_architecture", "x86_64");
        assertThat(read.instanceCount()).isEqualTo(2);
        assertThat(body.request().claims()).as("a call without instance uuids claims nothing").isFalse();
        JsonNode answer = new Selections(host -> "z", null)
                .render(answer((ArrayNode) Recorded.reply("boot").get("result")), call);
        assertThat(answer.toString()).isEqualTo("[{\"host\":\"cmp7\",\"nodename\":\"cmp7\",\"limits\":{}}]");
    }
}
