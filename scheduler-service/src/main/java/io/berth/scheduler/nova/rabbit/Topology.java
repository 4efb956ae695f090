package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Exchanges and queues of nova-scheduler. Who declares one that is there with other arguments is refused by RabbitMQ, so
 * the deployment's options count.
 * <br>Source: oslo.messaging {@code _drivers/impl_rabbit.py} (declare_topic_consumer, declare_fanout_consumer,
 * _get_queue_arguments).
 *
 * @param host name of this scheduler
 * @param fanoutLasts whether the exchange for all schedulers is durable, as oslo.messaging makes it for transient queues that
 *     are quorum queues. So is Berth's own queue there, though it is none: RabbitMQ 4.3 has no others that several may read
 * @param transientTtlSeconds after which a fanout queue that nobody reads is gone; 0: at once. Until then it waits for this
 *     process, and with it the exchange, without which nova's services cannot cast
 * @param process distinguishes its fanout queue
 */
record Topology(
        String exchange,
        String host,
        boolean durable,
        boolean autoDelete,
        boolean quorum,
        boolean ha,
        boolean fanoutLasts,
        int transientTtlSeconds,
        String process)
        implements Queues {
    private static final String TOPIC = "scheduler";
    private static final String FANOUT = TOPIC + "_fanout";

    static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "berth";
        }
    }

    /** That of all schedulers, this one's, and one for what all of them are told. */
    @Override
    public List<String> declare(Channel channel) throws IOException {
        boolean lasting = durable || quorum;
        channel.exchangeDeclare(exchange, "topic", lasting, autoDelete, Map.of());
        String own = TOPIC + "." + host;
        for (String queue : List.of(TOPIC, own)) {
            channel.queueDeclare(queue, lasting, false, autoDelete, arguments(quorum, 0));
            channel.queueBind(queue, exchange, queue);
        }
        channel.exchangeDeclare(FANOUT, "fanout", fanoutLasts, true, Map.of());
        String fanout = FANOUT + "_" + process;
        channel.queueDeclare(
                fanout, fanoutLasts, false, transientTtlSeconds == 0, arguments(false, transientTtlSeconds));
        channel.queueBind(fanout, FANOUT, TOPIC);
        return List.of(TOPIC, own, fanout);
    }

    private Map<String, Object> arguments(boolean asQuorum, int ttlSeconds) {
        Map<String, Object> arguments = new HashMap<>();
        if (ha) {
            arguments.put("x-ha-policy", "all");
        }
        if (ttlSeconds > 0) {
            arguments.put("x-expires", ttlSeconds * 1_000);
        }
        if (asQuorum) {
            arguments.put("x-queue-type", "quorum");
        }
        return arguments;
    }
}
