package io.berth.scheduler.nova.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.nova.Recorded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how messages of oslo.messaging are read and replies written, against messages recorded from nova. */
class EnvelopeTest {
    private static final Message.ReplyTo CALLER = new Message.ReplyTo("reply_q", "m1");

    private static Message messageIn(byte[] body) {
        return ((Envelope.Read.Understood) Envelope.read(body)).message();
    }

    @Test
    void readsARecordedCall() {
        Message call = messageIn(Recorded.body(Recorded.call("boot")));
        assertThat(call.method()).isEqualTo("select_destinations");
        assertThat(call.namespace()).isNull();
        assertThat(call.version()).isEqualTo(new RpcVersion(4, 5));
        assertThat(call.reply()).isEqualTo(new Message.ReplyTo(
                "reply_36329926353a43029fd592e4015475f8", "e46301e561be47fe9d40d804ad9a7584"));
        assertThat(call.heartbeatWithin()).isEqualTo(Duration.ofSeconds(60));
        assertThat(call.uniqueId()).isEqualTo("4366c145c763495d94d75624f54c4c1e");
        assertThat(call.requestId()).isEqualTo("req-56fbdc97-02c6-4f17-a242-3c6a3431b48e");
        assertThat(call.logId()).isEqualTo("req-56fbdc97-02c6-4f17-a242-3c6a3431b48e-4366c145");
        assertThat(call.requestedAt()).isEqualTo(Recorded.call("boot").get("_context_timestamp").textValue() + "Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "7", "\"\"", "\"yesterday\"", "\"2026-11-21\"", "{}"})
    void ignoresInvalidTimestamps(String time) throws Exception {
        ObjectNode call = Recorded.call("boot");
        call.set("_context_timestamp", Recorded.JSON.readTree(time));
        assertThat(messageIn(Recorded.body(call)).requestedAt()).isNull();
    }

    @ParameterizedTest
    @FieldSource("io.berth.scheduler.nova.Recorded#CASTS")
    void aCastHasNoReply(String name) {
        Message cast = messageIn(Recorded.body(Recorded.cast(name)));
        assertThat(cast.reply()).isNull();
        assertThat(cast.heartbeatWithin()).isNull();
        assertThat(name).startsWith(cast.method());
    }

    @Test
    void readsABodyWithoutAnEnvelopeAsTheMessage() {
        Message bare =
                messageIn("{\"method\": \"ping\", \"namespace\": \"baseapi\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(bare.method()).isEqualTo("ping");
        assertThat(bare.version()).isEqualTo(RpcVersion.FIRST);
    }

    /** Compresses as kombu does with {@code kombu_compression = gzip}. */
    @Test
    void readsCompressedBodiesUpToALimit() throws IOException {
        byte[] body = Recorded.body(Recorded.call("boot"));
        var zipped = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(zipped)) {
            out.write(body);
        }
        String gzip = "application/x-gzip";
        var read = (Envelope.Read.Understood) Envelope.read(zipped.toByteArray(), gzip, body.length);
        assertThat(read.message().method()).isEqualTo("select_destinations");
        assertThat(refusalOf(zipped.toByteArray(), gzip, body.length - 1)).contains("more than");
        assertThat(refusalOf(body, gzip, body.length)).contains("corrupt");
        assertThat(refusalOf(body, "application/x-bz2", body.length)).contains("kombu_compression");
    }

    private static String refusalOf(byte[] body, String compression, int bytesMax) {
        return ((Envelope.Read.Unreadable) Envelope.read(body, compression, bytesMax)).reason();
    }

    @Test
    void keepsOnlyTheRequestIdOfTheContext() {
        ObjectNode call = Recorded.call("rebuild_dest-cell_forced_noalt");
        call.put("_context_auth_token", "SECRET-TOKEN");
        assertThat(messageIn(Recorded.body(call)).toString()).doesNotContain("SECRET").contains("req-");
        assertThat(messageIn(Recorded.body(call)).args().toString()).doesNotContain("SECRET-TOKEN");
    }

    @ParameterizedTest
    @CsvSource({"4.5, 4.0, true", "4.5, 4.5, true", "4.5, 4.6, false", "4.5, 3.5, false", "4.5, 5.0, false"})
    void servesItsMajorVersionUpToItsMinorVersion(String served, String requested, boolean isServed) {
        assertThat(RpcVersion.find(served).serves(RpcVersion.find(requested))).isEqualTo(isServed);
    }

    @Test
    void findsTheReplyQueueInATruncatedMessage() {
        String text = Recorded.enveloped(Recorded.call("boot").toString());
        var torn = (Envelope.Read.Unreadable) Envelope.read(
                text.substring(0, text.length() - 20).getBytes(StandardCharsets.UTF_8));
        assertThat(torn.reply()).isEqualTo(new Message.ReplyTo(
                "reply_36329926353a43029fd592e4015475f8", "e46301e561be47fe9d40d804ad9a7584"));
        var noise = (Envelope.Read.Unreadable) Envelope.read(new byte[] {0, -1, 7});
        assertThat(noise.reply()).isNull();
    }

    @Test
    void aReplyHasTheRecordedForm() {
        JsonNode recorded = Recorded.reply("boot");
        Message.ReplyTo to =
                new Message.ReplyTo("reply_36329926353a43029fd592e4015475f8", recorded.get("_msg_id").textValue());
        Reply reply = Reply.result(to, recorded.get("result"));
        assertThat(reply.queue()).isEqualTo("reply_36329926353a43029fd592e4015475f8");
        assertThat(without(reply, "_unique_id")).isEqualTo(((ObjectNode) recorded.deepCopy()).without("_unique_id"));
        JsonNode heartbeat = Recorded.message("reply_heartbeat.json");
        assertThat(without(Reply.heartbeat(new Message.ReplyTo("q", heartbeat.get("_msg_id").textValue())),
                "_unique_id"))
                .isEqualTo(((ObjectNode) heartbeat.deepCopy()).without("_unique_id"));
    }

    private static JsonNode without(Reply reply, String member) {
        ObjectNode message = (ObjectNode) Recorded.opened(reply.body());
        assertThat(message.get(member).textValue()).matches("[0-9a-f]{32}");
        return message.without(member);
    }

    @ParameterizedTest
    @CsvSource({"boot_FAILS, ''", "multi6_group_FAILS, There are not enough hosts available."})
    void aFailureHasTheFormOfNovasExceptions(String recorded, String reason) throws Exception {
        JsonNode expected = Recorded.JSON.readTree(Recorded.reply(recorded).get("failure").textValue());
        JsonNode message = Recorded.opened(Reply.failure(CALLER, Failure.noValidHost(reason)).body());
        JsonNode failure = Recorded.JSON.readTree(message.get("failure").textValue());
        assertThat(message.get("result").isNull()).isTrue();
        assertThat(message.get("ending").booleanValue()).isTrue();
        for (String member : List.of("class", "module", "message", "args", "kwargs")) {
            assertThat(failure.get(member)).as(member).isEqualTo(expected.get(member));
        }
        assertThat(failure.get("tb").isArray()).isTrue();
    }

    /** A pattern with backtracking would take hours for these messages. */
    @ParameterizedTest
    @ValueSource(strings = {"\\", "\"_reply_q", "\"_reply_q\" ", "\"_reply_q\": \"", " ", "a"})
    void findsTheReplyQueueInAHostileMessage(String part) {
        String hostile = part.repeat(4_000_000 / part.length());
        String caller = "\"_reply_q\": \"reply_q\", \"_msg_id\": \"m1\"";
        assertThat(Envelope.read((hostile + caller).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(Envelope.Read.Unreadable.class,
                        read -> assertThat(read.reply()).isEqualTo(CALLER));
    }

    /** Each parsed value takes fifty bytes. */
    @Test
    void refusesMessagesWithMillionsOfValues() {
        String many = "{\"_reply_q\": \"reply_q\", \"_msg_id\": \"m1\", \"args\": [" + "[],".repeat(1_000_000) + "[]]}";
        assertThat(Envelope.read(many.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(Envelope.Read.Unreadable.class, read -> {
                    assertThat(read.reason()).contains("names, values and brackets");
                    assertThat(read.reply()).isEqualTo(CALLER);
                });
    }
}
