package io.berth.scheduler.nova.rabbit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.berth.scheduler.nova.Recorded;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Caller like nova-conductor: has a reply queue, sends calls to the topic, and matches replies by message id. */
public final class Conductor implements AutoCloseable {
    private static final AMQP.BasicProperties CALL = new AMQP.BasicProperties.Builder()
            .contentType("application/json").contentEncoding("utf-8").deliveryMode(2).priority(0)
            .expiration("1800000").build();

    private final String queue = "reply_" + hex();
    private final Map<String, Queue<JsonNode>> replies = new ConcurrentHashMap<>();
    private Connection connection;
    private Channel channel;

    public Conductor(RabbitForTests rabbit) throws IOException {
        connect(rabbit);
        listen();
    }

    /** Connects without the reply queue. */
    public void connect(RabbitForTests rabbit) throws IOException {
        connection = rabbit.connect();
        channel = connection.createChannel();
    }

    public void listen() throws IOException {
        channel.queueDeclare(queue, false, false, false, new HashMap<>(Map.of("x-expires", 1_800_000)));
        read();
    }

    private void read() throws IOException {
        channel.basicConsume(queue, true, (tag, delivery) -> {
            JsonNode reply = Recorded.opened(delivery.getBody());
            replies.computeIfAbsent(reply.get("_msg_id").textValue(), made -> new ConcurrentLinkedQueue<>()).add(reply);
        }, tag -> {});
    }

    /** Replaces the queue by one that is full, and refuses further replies until {@link #drain}. */
    public void fillQueue() throws Exception {
        channel.queueDelete(queue);
        channel.queueDeclare(queue, false, false, false, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        channel.confirmSelect();
        channel.basicPublish("", queue, null, new byte[0]);
        channel.waitForConfirmsOrDie();
    }

    /** Removes what fills the queue, and reads replies again. */
    public void drain() throws IOException {
        channel.queuePurge(queue);
        read();
    }

    public void forgetQueue() throws IOException {
        channel.queueDelete(queue);
    }

    private static String hex() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** Makes the message a call of this conductor, with a new id, which is returned. */
    public String prepare(ObjectNode message) {
        String id = hex();
        message.put("_msg_id", id).put("_reply_q", queue).put("_unique_id", hex());
        return id;
    }

    public void send(JsonNode message) throws IOException {
        send(Recorded.body(message));
    }

    public void send(byte[] body) throws IOException {
        channel.basicPublish("nova", "scheduler", CALL, body);
    }

    /** Replies and heartbeats, in the order of arrival. */
    public List<JsonNode> replies(String id) {
        return List.copyOf(replies.getOrDefault(id, new ConcurrentLinkedQueue<>()));
    }

    public List<JsonNode> answers(String id) {
        return replies(id).stream().filter(reply -> reply.get("ending").booleanValue()).toList();
    }

    public Channel channel() {
        return channel;
    }

    @Override
    public void close() {
        connection.abort(5_000);
    }
}
