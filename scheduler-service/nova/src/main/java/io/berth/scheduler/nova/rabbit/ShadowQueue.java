package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The queue of shadow mode, which gets a copy of each message to nova-scheduler's shared queue. Replicas share the
 * queue, and RabbitMQ deletes it with its last consumer. Beyond a number, size or age of messages, RabbitMQ drops the
 * oldest ones, so that the queue cannot fill a broker. nova's exchange is not declared: while it is missing, no session
 * can be opened, and {@link QueueConsumer} tries again.
 * <br>Source: oslo.messaging {@code _drivers/impl_rabbit.py} (topic_send): calls of a topic go to the exchange, with
 * the topic as routing key.
 *
 * @param exchange name of nova's exchange
 * @param isDurable whether this queue is durable, as the deployment's queues are, because some brokers refuse other
 * queues
 */
record ShadowQueue(String exchange, boolean isDurable) implements Queues {
    static final String NAME = "berth_shadow";
    /** The maximum number of messages in the queue. */
    static final int MESSAGES_MAX = 1_000;
    /** The maximum size of all messages in the queue. */
    private static final int BYTES_MAX = 32 << 20;
    /**
     * The maximum age of a message, and the time after which the queue is deleted if it has no consumer. Older messages
     * are useless, because nova has chosen a host by then.
     */
    private static final int AGE_MS_MAX = 60_000;
    private static final String TOPIC = "scheduler";

    @Override
    public List<String> declare(Channel channel) throws IOException {
        channel.exchangeDeclarePassive(exchange);
        channel.queueDeclare(NAME, isDurable, false, true, Map.of(
                "x-max-length", MESSAGES_MAX,
                "x-max-length-bytes", BYTES_MAX,
                "x-overflow", "drop-head",
                "x-message-ttl", AGE_MS_MAX,
                "x-expires", AGE_MS_MAX));
        channel.queueBind(NAME, exchange, TOPIC);
        return List.of(NAME);
    }
}
