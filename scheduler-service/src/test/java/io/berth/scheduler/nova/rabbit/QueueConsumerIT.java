package io.berth.scheduler.nova.rabbit;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.nova.Recorded;
import io.berth.scheduler.nova.message.Failure;
import io.berth.scheduler.nova.message.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the consumer of nova's queues against RabbitMQ, including lost messages and connections. */
@Tag("process")
class QueueConsumerIT {
    /**
     * How long a reply is retried while RabbitMQ restarts: longer than any test waits, because a restart can take more
     * than {@link QueueConsumer#RETRY_TIME} on a busy machine.
     */
    private static final Duration RESTART_TIME_MAX = Duration.ofHours(1);

    private static RabbitForTests rabbit;

    private final AtomicInteger worked = new AtomicInteger();
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> byProcess = new ConcurrentHashMap<>();
    private final List<QueueConsumer> listenings = new ArrayList<>();
    private final Queue<Undo> undos = new ConcurrentLinkedQueue<>();
    private volatile boolean holds;
    private Conductor conductor;

    /** A call whose work ends when the test calls {@link #answer}. */
    private record Held(Message message, Consumer<JsonNode> onReply) {
        void answer() {
            onReply.accept(JsonNodeFactory.instance.textNode("done"));
        }
    }

    /** An undo of a reply that may not have reached its caller. The test ends it with {@code done}. */
    private record Undo(JsonNode answer, boolean isUndelivered, Runnable done) {}

    @BeforeAll
    static void start() {
        assumeTrue(RabbitForTests.missing() == null, RabbitForTests::missing);
        rabbit = new RabbitForTests();
    }

    @AfterAll
    static void stop() {
        if (rabbit != null) {
            rabbit.close();
        }
    }

    @BeforeEach
    void begin() throws Exception {
        conductor = new Conductor(rabbit);
    }

    @AfterEach
    void end() {
        held.forEach(Held::answer);
        undos.forEach(each -> each.done().run());
        listenings.forEach(QueueConsumer::close);
        conductor.close();
    }

    private QueueConsumer listen(String process, String url, int prefetch) throws Exception {
        return listen(process, url, prefetch, QueueConsumer.RETRY_TIME);
    }

    private QueueConsumer listen(String process, String url, int prefetch, Duration triedFor) throws Exception {
        return listen(process, new Brokers(TransportUrl.parse(url), Optional.empty()), prefetch, triedFor);
    }

    private QueueConsumer listen(String process, Brokers brokers, int prefetch, Duration triedFor) throws Exception {
        QueueConsumer listening = QueueConsumer.start(
                brokers,
                new Topology("nova", process, false, false, false, false, false, 1800, process),
                prefetch,
                triedFor,
                new Methods(process));
        listenings.add(listening);
        eventually(() -> assertThat(consumers("scheduler." + process)).isEqualTo(1));
        return listening;
    }

    private static long consumers(String queue) {
        try (var connection = rabbit.connect(); var channel = connection.createChannel()) {
            return channel.queueDeclarePassive(queue).getConsumerCount();
        } catch (Exception notThere) {
            return -1;
        }
    }

    private static long waiting(String queue) {
        try (var connection = rabbit.connect(); var channel = connection.createChannel()) {
            return channel.messageCount(queue);
        } catch (Exception notThere) {
            return -1;
        }
    }

    private final class Methods implements QueueConsumer.Methods {
        private final String process;

        Methods(String process) {
            this.process = process;
        }

        @Override
        public void run(Message message, Consumer<JsonNode> onReply, Consumer<Failure> failed) {
            work(process, message, onReply, failed);
        }

        @Override
        public void undo(Message message, JsonNode answer, boolean isUndelivered, Runnable done) {
            undos.add(new Undo(answer, isUndelivered, done));
        }
    }

    private void work(String process, Message message, Consumer<JsonNode> onReply, Consumer<Failure> failed) {
        worked.incrementAndGet();
        byProcess.merge(process, 1, Integer::sum);
        if (message.method().equals("fail")) {
            failed.accept(Failure.noValidHost("because"));
        } else if (holds) {
            held.add(new Held(message, onReply));
        } else {
            onReply.accept(message.args());
        }
    }

    private ObjectNode call(String method) {
        ObjectNode call = Recorded.call("boot");
        call.put("method", method).putObject("args").put("arg", method);
        call.put("_context_timestamp", LocalDateTime.now(ZoneOffset.UTC).toString());
        return call;
    }

    private String send(String method) throws Exception {
        ObjectNode call = call(method);
        String id = conductor.prepare(call);
        conductor.send(call);
        return id;
    }

    private JsonNode answer(String id) {
        eventually(() -> assertThat(conductor.answers(id)).isNotEmpty());
        return conductor.answers(id).getFirst();
    }

    @Test
    void connectsOverTlsToATrustedBroker() throws Exception {
        listen("a", new Brokers(TransportUrl.parse(rabbit.tlsUrl()), Optional.of(rabbit.certificate())), 8,
                QueueConsumer.RETRY_TIME);
        assertThat(answer(send("echo")).get("failure").isNull()).isTrue();
    }

    @Test
    void refusesABrokerThatItDoesNotTrust() {
        assertThatThrownBy(() -> new Brokers(TransportUrl.parse(rabbit.tlsUrl()), Optional.empty()).connect())
                .hasStackTraceContaining("PKIX path building failed");
    }

    @Test
    void refusesAFileWithoutAuthorities(@TempDir Path folder) throws Exception {
        Path empty = Files.writeString(folder.resolve("ca.pem"), "");
        assertThatThrownBy(() -> new Brokers(TransportUrl.parse(rabbit.tlsUrl()), Optional.of(empty)))
                .hasMessageStartingWith("berth.nova.ca-file: " + empty + " has no certificate; ");
    }

    @Test
    void repliesToCallsAndReceivesCastsToItsOwnQueue() throws Exception {
        listen("a", rabbit.url(), 8);
        assertThat(answer(send("echo")).at("/result/arg").textValue()).isEqualTo("echo");
        JsonNode failure = Recorded.JSON.readTree(answer(send("fail")).get("failure").textValue());
        assertThat(failure.get("class").textValue()).isEqualTo("NoValidHost");
        conductor.channel().basicPublish("nova", "scheduler.a", null, Recorded.body(Recorded.cast("delete_aggregate")));
        eventually(() -> assertThat(worked.get()).isEqualTo(3));
    }

    @Test
    void fanoutMessagesDoNotCountTowardsThePrefetchLimit() throws Exception {
        holds = true;
        QueueConsumer listening = listen("a", rabbit.url(), 1);
        conductor.channel().confirmSelect();
        for (int i = 0; i < 20; i++) {
            conductor.channel()
                    .basicPublish("scheduler_fanout", "", null, Recorded.body(Recorded.cast("update_aggregates")));
        }
        conductor.channel().waitForConfirmsOrDie();
        eventually(() -> assertThat(waiting("scheduler_fanout_a")).isZero());
        send("wait");
        eventually(() -> assertThat(held).hasSize(1));
        held.peek().answer();
        listening.close();
        assertThat(waiting("scheduler_fanout_a")).isZero();
        assertThat(worked.get()).isEqualTo(1);
    }

    @Test
    void continuesAfterUnreadableMessages() throws Exception {
        listen("a", rabbit.url(), 2);
        for (String noise : List.of("", "{", "null", "[]", "{\"oslo.version\": \"9.0\", \"oslo.message\":"
                + " \"{}\"}", "\u0000")) {
            conductor.send(noise.getBytes(StandardCharsets.UTF_8));
        }
        ObjectNode nameless = call("x");
        String id = conductor.prepare(nameless);
        nameless.remove("method");
        conductor.send(nameless);
        JsonNode failure = Recorded.JSON.readTree(answer(id).get("failure").textValue());
        assertThat(failure.get("class").textValue()).isEqualTo("ValueError");
        assertThat(answer(send("echo")).get("failure").isNull()).isTrue();
        assertThat(worked.get()).isEqualTo(1);
    }

    @Test
    void twoSchedulersAnswerEachMessageOnce() throws Exception {
        listen("a", rabbit.url(), 4);
        listen("b", rabbit.url(), 4);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            ids.add(send("echo"));
        }
        for (String id : ids) {
            answer(id);
        }
        assertThat(worked.get()).isEqualTo(40);
        assertThat(byProcess).containsOnlyKeys("a", "b");
        assertThat(ids).allSatisfy(id -> assertThat(conductor.answers(id)).hasSize(1));
    }

    private QueueConsumer listenInShadow() throws Exception {
        conductor.channel().exchangeDeclare("nova", "topic", false, false, Map.of());
        conductor.channel().queueDeclare("scheduler", false, false, false, Map.of());
        conductor.channel().queueBind("scheduler", "nova", "scheduler");
        conductor.channel().queuePurge("scheduler");
        QueueConsumer listening = QueueConsumer.inShadow(
                new Brokers(TransportUrl.parse(rabbit.url()), Optional.empty()), new ShadowQueue("nova", false), 4,
                new Methods("shadow"));
        listenings.add(listening);
        eventually(() -> assertThat(consumers(ShadowQueue.NAME)).isEqualTo(1));
        return listening;
    }

    @Test
    void shadowTakesNoMessagesFromTheQueueAndSendsNoReplies() throws Exception {
        QueueConsumer shadow = listenInShadow();
        ObjectNode nameless = call("x");
        List<String> ids = new ArrayList<>(List.of(conductor.prepare(nameless)));
        nameless.remove("method");
        conductor.send(nameless);
        ids.add(send("fail"));
        ids.add(send("echo"));
        eventually(() -> assertThat(worked.get()).isEqualTo(2));
        eventually(() -> assertThat(waiting("scheduler")).isEqualTo(3));
        shadow.close();
        eventually(() -> assertThat(consumers(ShadowQueue.NAME)).isEqualTo(-1));
        assertThat(ids).allSatisfy(id -> assertThat(conductor.replies(id)).isEmpty());
        conductor.channel().queuePurge("scheduler");
    }

    @Test
    void shadowQueueHasAMaximumLength() throws Exception {
        holds = true;
        listenInShadow();
        for (int i = 0; i < ShadowQueue.MESSAGES_MAX + 50; i++) {
            send("wait");
        }
        eventually(() -> assertThat(held).hasSize(4));
        eventually(() -> assertThat(waiting(ShadowQueue.NAME)).isEqualTo(ShadowQueue.MESSAGES_MAX));
        conductor.channel().queuePurge(ShadowQueue.NAME);
        conductor.channel().queuePurge("scheduler");
    }

    @Test
    void processesAtMostThePrefetchLimitAtOnce() throws Exception {
        holds = true;
        listen("a", rabbit.url(), 3);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ids.add(send("wait"));
        }
        eventually(() -> assertThat(held).hasSize(3));
        eventually(() -> assertThat(waiting("scheduler")).isEqualTo(7));
        assertThat(held).hasSize(3);
        holds = false;
        List.copyOf(held).forEach(Held::answer);
        ids.forEach(this::answer);
    }

    @Test
    void sendsHeartbeatsWhileACallIsInProgress() throws Exception {
        holds = true;
        listen("a", rabbit.url(), 3);
        ObjectNode call = call("wait");
        String id = conductor.prepare(call);
        call.put("_timeout", 1);
        conductor.send(call);
        eventually(() -> assertThat(conductor.replies(id)).hasSizeGreaterThan(1));
        assertThat(conductor.answers(id)).isEmpty();
        held.remove().answer();
        assertThat(answer(id).get("result").textValue()).isEqualTo("done");
    }

    @Test
    void processesARepeatedMessageOnce() throws Exception {
        holds = true;
        listen("a", rabbit.url(), 8);
        ObjectNode call = call("wait");
        String id = conductor.prepare(call);
        conductor.send(call);
        eventually(() -> assertThat(held).hasSize(1));
        conductor.send(call);
        holds = false;
        assertThat(answer(send("echo")).get("failure").isNull()).isTrue();
        held.remove().answer();
        answer(id);
        conductor.send(call);
        answer(send("echo"));
        assertThat(conductor.answers(id)).hasSize(1);
        assertThat(worked.get()).isEqualTo(3);
        // All messages are acknowledged: none is redelivered when the consumer stops.
        listenings.removeFirst().close();
        assertThat(waiting("scheduler")).isZero();
    }

    @Test
    void retriesAReplyUntilItsQueueExists() throws Exception {
        holds = true;
        listen("a", rabbit.url(), 8);
        String id = send("wait");
        eventually(() -> assertThat(held).hasSize(1));
        conductor.forgetQueue();
        held.remove().answer();
        holds = false;
        // Replies are sent in their order, so the first one was tried by now.
        try (Conductor other = new Conductor(rabbit)) {
            ObjectNode echo = call("echo");
            String later = other.prepare(echo);
            other.send(echo);
            eventually(() -> assertThat(other.answers(later)).hasSize(1));
        }
        assertThat(conductor.answers(id)).isEmpty();
        conductor.listen();
        assertThat(answer(id).get("result").textValue()).isEqualTo("done");
    }

    @Test
    void undoesAReplyThatMayBeTooLateBeforeAcknowledgingTheMessage() throws Exception {
        QueueConsumer first = listen("a", rabbit.url(), 8);
        ObjectNode call = call("echo");
        call.put("_context_timestamp", LocalDateTime.now(ZoneOffset.UTC).minusMinutes(1).toString());
        String id = conductor.prepare(call);
        conductor.send(call);
        assertThat(answer(id).at("/result/arg").textValue()).isEqualTo("echo");
        eventually(() -> assertThat(undos).hasSize(1));
        assertThat(undos.peek().isUndelivered()).isFalse();
        assertThat(undos.peek().answer().get("arg").textValue()).isEqualTo("echo");
        answer(send("echo"));
        assertThat(undos).hasSize(1);
        // The first scheduler goes before the undo is done, so another one undoes the reply.
        first.abandon();
        undos.clear();
        listen("b", rabbit.url(), 8);
        eventually(() -> assertThat(undos).hasSize(1));
        undos.remove().done().run();
        listenings.removeLast().close();
        assertThat(waiting("scheduler")).isZero();
    }

    @Test
    void undosDoNotCountTowardsThePrefetchLimit() throws Exception {
        listen("a", rabbit.url(), 4);
        ObjectNode call = call("echo");
        call.put("_context_timestamp", LocalDateTime.now(ZoneOffset.UTC).minusMinutes(1).toString());
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ObjectNode each = call.deepCopy();
            ids.add(conductor.prepare(each));
            conductor.send(each);
        }
        ids.forEach(this::answer);
        answer(send("echo"));
        eventually(() -> assertThat(undos).hasSize(ids.size()));
    }

    @Test
    void undoesAReplyThatNoQueueTook() throws Exception {
        holds = true;
        listen("a", rabbit.url(), 8, Duration.ofMillis(1));
        send("wait");
        eventually(() -> assertThat(held).hasSize(1));
        conductor.forgetQueue();
        held.remove().answer();
        eventually(() -> assertThat(undos).hasSize(1));
        assertThat(undos.peek().isUndelivered()).isTrue();
        assertThat(undos.peek().answer().textValue()).isEqualTo("done");
    }

    /** The caller behind a full queue still exists, so its later replies are retried for the whole time. */
    @Test
    void keepsSendingRepliesToAFullQueue() throws Exception {
        holds = true;
        listen("a", rabbit.url(), 8, Duration.ofSeconds(5));
        send("wait");
        eventually(() -> assertThat(held).hasSize(1));
        conductor.fillQueue();
        held.remove().answer();
        eventually(() -> assertThat(undos).hasSize(1));
        assertThat(undos.peek().isUndelivered()).isFalse();
        String id = send("wait");
        eventually(() -> assertThat(held).hasSize(1));
        try (Conductor other = new Conductor(rabbit)) {
            ObjectNode fails = call("fail");
            String later = other.prepare(fails);
            held.remove().answer();
            other.send(fails);
            // Replies are sent in their order, so the full queue has refused the second reply by now.
            eventually(() -> assertThat(other.answers(later)).hasSize(1));
            conductor.drain();
        }
        assertThat(answer(id).get("result").textValue()).isEqualTo("done");
    }

    @Test
    void anotherSchedulerProcessesTheMessagesOfOneThatStopped() throws Exception {
        holds = true;
        QueueConsumer first = listen("a", rabbit.url(), 8);
        String id = send("wait");
        eventually(() -> assertThat(held).hasSize(1));
        first.abandon();
        held.clear();
        holds = false;
        listen("b", rabbit.url(), 8);
        assertThat(answer(id).at("/result/arg").textValue()).isEqualTo("wait");
        // The first scheduler may have replied that there is no host, and then lost its connection.
        eventually(() -> assertThat(undos).hasSize(1));
        assertThat(undos.peek().isUndelivered()).isFalse();
    }

    @Test
    void consumesAgainAfterItsQueueWasDeleted() throws Exception {
        listen("a", rabbit.url(), 8);
        answer(send("echo"));
        conductor.channel().queueDelete("scheduler");
        eventually(() -> assertThat(consumers("scheduler")).isEqualTo(1));
        answer(send("echo"));
    }

    @Test
    void reconnectsAfterRabbitMqRestarts() throws Exception {
        holds = true;
        // The first host of the URL does not answer.
        listen(
                "a", rabbit.url().replace("@127.0.0.1", "@127.0.0.1:1,guest:guest@127.0.0.1"), 8,
                RESTART_TIME_MAX);
        String id = send("wait");
        eventually(() -> assertThat(held).hasSize(1));
        rabbit.kill();
        held.remove().answer();
        holds = false;
        rabbit.start();
        conductor.connect(rabbit);
        conductor.listen();
        assertThat(answer(id).get("result").textValue()).isEqualTo("done");
        // Another scheduler may have received the message in the meantime, and replied that there is no host.
        eventually(() -> assertThat(undos).hasSize(1));
        assertThat(undos.peek().isUndelivered()).isFalse();
        eventually(() -> assertThat(consumers("scheduler")).isEqualTo(1));
        answer(send("echo"));
    }

    /** All calls of one conductor share a queue, and a loss of RabbitMQ does not mean that the queue is gone. */
    @Test
    void keepsSendingToAQueueAfterAReplyWasLost() throws Exception {
        holds = true;
        listen("a", rabbit.url(), 8, Duration.ofSeconds(5));
        send("wait");
        eventually(() -> assertThat(held).hasSize(1));
        rabbit.kill();
        held.remove().answer();
        eventually(() -> assertThat(undos).hasSize(1));
        rabbit.start();
        eventually(() -> assertThat(consumers("scheduler")).isEqualTo(1));
        conductor.connect(rabbit);
        String id = send("wait");
        eventually(() -> assertThat(held).isNotEmpty());
        held.forEach(Held::answer);
        // Replies are sent in their order, so this one was tried by now.
        holds = false;
        try (Conductor other = new Conductor(rabbit)) {
            ObjectNode echo = call("echo");
            String later = other.prepare(echo);
            other.send(echo);
            eventually(() -> assertThat(other.answers(later)).hasSize(1));
        }
        conductor.listen();
        assertThat(answer(id).get("result").textValue()).isEqualTo("done");
    }

    private QueueConsumer start(Topology topology) throws Exception {
        QueueConsumer listening = QueueConsumer.start(
                new Brokers(TransportUrl.parse(rabbit.url()), Optional.empty()),
                topology,
                8,
                QueueConsumer.RETRY_TIME,
                new Methods(topology.host()));
        listenings.add(listening);
        return listening;
    }

    @Test
    void retriesRefusedDeclarations() throws Exception {
        conductor.channel().queueDelete("scheduler.c");
        try (var other = rabbit.connect(); var channel = other.createChannel()) {
            channel.queueDeclare("scheduler.c", false, true, false, Map.of());
            start(new Topology("nova", "c", false, false, false, false, false, 1800, "c"));
        }
        eventually(() -> assertThat(consumers("scheduler.c")).isEqualTo(1));
    }

    @Test
    void usesAnExistingQueueWithOtherArguments() throws Exception {
        conductor.channel().queueDelete("scheduler");
        conductor.channel().exchangeDeclare("lasting", "topic", true, false, Map.of());
        conductor.channel().queueDeclare(
                "scheduler", true, false, false, Map.of("x-queue-type", "quorum", "x-delivery-limit", 7));
        QueueConsumer listening = start(new Topology("lasting", "l", false, false, false, false, false, 1800, "l"));
        try {
            eventually(() -> assertThat(consumers("scheduler.l")).isEqualTo(1));
            conductor.channel().basicPublish("lasting", "scheduler", null, Recorded.body(call("echo")));
            eventually(() -> assertThat(byProcess).containsEntry("l", 1));
        } finally {
            listening.close();
            conductor.channel().queueDelete("scheduler");
        }
    }

    @Test
    void consumesTransientQuorumQueues() throws Exception {
        // Other tests declare this exchange with other arguments.
        conductor.channel().exchangeDelete("scheduler_fanout");
        conductor.channel().exchangeDeclare("scheduler_fanout", "fanout", true, true, Map.of());
        QueueConsumer listening = start(new Topology("nova", "t", false, false, false, false, true, 0, "t"));
        try {
            eventually(() -> assertThat(consumers("scheduler_fanout_t")).isEqualTo(1));
            // The queue is durable, because newer brokers refuse transient ones. RabbitMQ compares the declarations.
            conductor.channel().queueDeclare("scheduler_fanout_t", true, false, true, Map.of());
        } finally {
            listening.close();
            conductor.channel().exchangeDelete("scheduler_fanout");
        }
    }

    @Test
    void consumesQuorumQueues() throws Exception {
        // Other tests use queues of the same names.
        conductor.channel().queueDelete("scheduler");
        QueueConsumer listening = start(new Topology("quorum", "q", true, false, true, false, false, 1800, "q"));
        try {
            eventually(() -> assertThat(consumers("scheduler.q")).isEqualTo(1));
            conductor.channel().queueDeclare("scheduler.q", true, false, false, Map.of("x-queue-type", "quorum"));
            conductor.channel()
                    .basicPublish("quorum", "scheduler.q", null, Recorded.body(Recorded.cast("update_aggregates")));
            eventually(() -> assertThat(byProcess).containsEntry("q", 1));
        } finally {
            listening.close();
            conductor.channel().queueDelete("scheduler");
        }
    }

    @Test
    void isNotCertainThatAReplyIsLostAfterLosingRabbitMq() throws Exception {
        holds = true;
        listen("a", rabbit.url(), 8, Duration.ofMillis(1));
        send("wait");
        eventually(() -> assertThat(held).hasSize(1));
        rabbit.kill();
        held.remove().answer();
        eventually(() -> assertThat(undos).hasSize(1));
        assertThat(undos.peek().isUndelivered()).isFalse();
        rabbit.start();
    }
}
