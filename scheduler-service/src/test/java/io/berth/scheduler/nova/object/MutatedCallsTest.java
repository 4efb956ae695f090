package io.berth.scheduler.nova.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.process.Seed;
import io.berth.scheduler.api.SelectBody;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.nova.Recorded;
import io.berth.scheduler.nova.message.Envelope;
import io.berth.scheduler.nova.message.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests calls with random changes: each is read or refused with a reason, and its reply queue is known as long as the
 * message names one.
 */
class MutatedCallsTest {
    private static final int ROUNDS = Integer.getInteger("berth.test.rounds", 2_000);
    private static final long SEED = Seed.of(MutatedCallsTest.class);
    private static final List<String> JUNK = List.of(
            "null", "true", "-1", "1e400", "99999999999999999999", "\"\"", "\"\\u0000\"", "\"\\ud800\"", "[]", "{}",
            "[null]", "[[[[]]]]", "{\"nova_object.data\": null}", "{\"nova_object.data\": {}}", "\"2.0\"", "0.5",
            "{\"nova_object.data\": {\"objects\": 3}, \"nova_object.version\": \"2.0\"}", "[1, \"a\", null, {}]");

    @Test
    void readsOrRefusesEveryMutatedCall() throws Exception {
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(SEED + round);
            ObjectNode call = Recorded.call(Recorded.CALLS.get(random.nextInt(Recorded.CALLS.size())));
            boolean asBytes = random.nextInt(4) == 0;
            byte[] body = asBytes ? corrupted(Recorded.body(call), random) : Recorded.body(mutated(call, random));
            try {
                switch (Envelope.read(body)) {
                    case Envelope.Read.Unreadable unreadable -> {
                        refused++;
                        assertThat(unreadable.reason()).isNotBlank();
                        if (!asBytes && call.path("_msg_id").isTextual() && call.path("_reply_q").isTextual()
                                && call.path("_msg_id").textValue().matches("[\\w.-]+")
                                && call.path("_reply_q").textValue().matches("[\\w.-]+")) {
                            assertThat(unreadable.reply()).isNotNull();
                        }
                    }
                    case Envelope.Read.Understood(Message message) -> {
                        assertThat(message.toString()).doesNotContain("SECRET").doesNotContain("TOKEN");
                        SelectBody.read(SelectCall.of(message.args()).body());
                    }
                }
            } catch (ApiFault fault) {
                refused++;
                assertThat(fault.error().detail()).isNotBlank().doesNotContain("SECRET").doesNotContain("TOKEN");
            } catch (RuntimeException broken) {
                throw new AssertionError(
                        "seed " + (SEED + round) + ": " + new String(body, StandardCharsets.UTF_8), broken);
            }
        }
        assertThat(refused).as("seed %d", SEED).isBetween(1, ROUNDS - 1);
    }

    private static JsonNode mutated(ObjectNode call, Random random) throws Exception {
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            List<JsonNode> containers = new ArrayList<>();
            collect(call, containers);
            JsonNode chosen = containers.get(random.nextInt(containers.size()));
            JsonNode junk = Recorded.JSON.readTree(JUNK.get(random.nextInt(JUNK.size())));
            if (chosen instanceof ObjectNode object && !object.isEmpty()) {
                List<String> names = new ArrayList<>();
                object.fieldNames().forEachRemaining(names::add);
                String name = names.get(random.nextInt(names.size()));
                switch (random.nextInt(4)) {
                    case 0 -> object.remove(name);
                    case 1 -> object.set(name + "x", object.get(name));
                    default -> object.set(name, junk);
                }
            } else if (chosen instanceof ArrayNode array) {
                array.add(junk);
            }
        }
        return call;
    }

    private static void collect(JsonNode node, List<JsonNode> into) {
        if (node.isContainerNode()) {
            into.add(node);
            node.forEach(child -> collect(child, into));
        }
    }

    private static byte[] corrupted(byte[] body, Random random) {
        byte[] copy = random.nextBoolean() ? body : Arrays.copyOf(body, random.nextInt(body.length));
        for (int times = random.nextInt(8); times > 0 && copy.length > 0; times--) {
            copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
        }
        return copy;
    }
}
