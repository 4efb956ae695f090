package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.nova.Recorded;
import io.berth.scheduler.nova.rabbit.Conductor;
import io.berth.scheduler.nova.rabbit.RabbitForTests;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** Builds nova-conductor's calls for the hosts of a test from recorded ones. */
final class NovaCalls {
    private NovaCalls() {}

    /** The number of schedulers that consume the shared queue; 0 if it cannot be read yet. */
    static long readers(RabbitForTests rabbit) {
        try (var connection = rabbit.connect(); var channel = connection.createChannel()) {
            return channel.queueDeclarePassive("scheduler").getConsumerCount();
        } catch (Exception notYet) {
            return 0;
        }
    }

    /** A recorded call, changed to ask for new instances on this fleet's hosts, with a current timestamp. */
    static ObjectNode call(Fleet fleet, String asked, String... instances) {
        ObjectNode call = Recorded.call(asked);
        ObjectNode args = (ObjectNode) call.get("args");
        ArrayNode uuids = args.putArray("instance_uuids");
        List.of(instances).forEach(uuids::add);
        ObjectNode spec = spec(call);
        spec.put("instance_uuid", instances[0]).put("num_instances", instances.length);
        ObjectNode flavor = (ObjectNode) spec.at("/flavor/nova_object.data");
        flavor.put("vcpus", 1).put("memory_mb", 512).put("root_gb", 10);
        flavor.putObject("extra_specs").put("trait:" + fleet.trait(), "required");
        return askedAt(call, Instant.now());
    }

    static ObjectNode askedAt(ObjectNode call, Instant moment) {
        return call.put("_context_timestamp", LocalDateTime.ofInstant(moment, ZoneOffset.UTC).toString());
    }

    static ObjectNode spec(ObjectNode call) {
        return (ObjectNode) call.at("/args/spec_obj/nova_object.data");
    }

    static String instance() {
        return UUID.randomUUID().toString();
    }

    static JsonNode answer(Conductor conductor, String id) {
        eventually(() -> assertThat(conductor.answers(id)).isNotEmpty());
        return conductor.answers(id).getFirst();
    }

    static JsonNode selected(JsonNode answer) {
        assertThat(answer.get("failure").textValue()).isNull();
        return answer.at("/result/0/0/nova_object.data");
    }
}
