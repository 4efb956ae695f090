package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A queue alongside nova-scheduler's, which gets a copy of each message to nova-scheduler's shared queue. Replicas
 * share the queue, and RabbitMQ deletes it with its last consumer. The queue drops its oldest messages beyond a number,
 * size or age, so that it cannot fill a broker. Does not declare nova's exchange: while the exchange is missing,
 * opening a session fails, and is repeated.
 * <br>Source: oslo.messaging {@code _drivers/impl_rabbit.py} (topic_send): calls of a topic go to its exchange, with
 * the topic as routing key.
 *
 * @param exchange name of nova's exchange
 * @param lasting whether this queue is durable, as the deployment's queues are: some brokers refuse queues that are not
 */
record ShadowQueue(String exchange, boolean lasting) implements Queues {
    static final String NAME = "berth_shadow";
    static final int MESSAGES_MAX = 1_000;
    private static final int BYTES_MAX = 32 << 20;
    /**
     * The maximum age of a message, and the time without a consumer after which the queue is deleted. Older messages
     * are useless, because nova has chosen a host by then.
     */
    private static final int AGE_MS_MAX = 60_000;
    private static final String TOPIC = "scheduler";

    @Override
    public List<String> declare(Channel channel) throws IOException {
        channel.exchangeDeclarePassive(exchange);
        channel.queueDeclare(NAME, lasting, false, true, Map.of(
                "x-max-length", MESSAGES_MAX,
                "x-max-length-bytes", BYTES_MAX,
                "x-overflow", "drop-head",
                "x-message-ttl", AGE_MS_MAX,
                "x-expires", AGE_MS_MAX));
        channel.queueBind(NAME, exchange, TOPIC);
        return List.of(NAME);
    }
}
