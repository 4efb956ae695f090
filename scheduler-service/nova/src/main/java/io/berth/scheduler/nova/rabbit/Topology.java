package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * The exchanges and queues of nova-scheduler. Existing exchanges and queues are used as they are, because they may have
 * been created with options that Berth does not know. Missing ones are created with the deployment's options, so that
 * they match what nova's services declare.
 * <br>Source: oslo.messaging {@code _drivers/impl_rabbit.py} (declare_topic_consumer, declare_fanout_consumer,
 * _get_queue_arguments).
 *
 * @param exchange name of nova's exchange, which has the type topic
 * @param host name of this scheduler, part of the name of its own queue
 * @param durable whether this exchange and its queues are durable; they also are if {@code quorum} is true
 * @param autoDelete whether this exchange and its queues are deleted with their last user
 * @param quorum whether all queues except the fanout queue are quorum queues, which are durable
 * @param ha whether all queues get the argument {@code x-ha-policy}
 * @param isFanoutDurable whether the fanout exchange is durable, as oslo.messaging declares it with
 * {@code rabbit_transient_quorum_queue}. Berth's fanout queue is then durable, too, but not a quorum queue. If false,
 * this queue is neither durable nor exclusive; RabbitMQ 4.3 refuses such queues
 * @param transientTtlSeconds seconds without a consumer after which the fanout queue is deleted; 0: the queue is
 * deleted with its last consumer. The fanout exchange exists as long as the queue; without the exchange, nova's
 * services cannot cast
 * @param processId random id in the name of this process's fanout queue
 */
record Topology(
        String exchange,
        String host,
        boolean durable,
        boolean autoDelete,
        boolean quorum,
        boolean ha,
        boolean isFanoutDurable,
        int transientTtlSeconds,
        String processId)
        implements Queues {
    private static final Logger LOG = Logger.getLogger(Topology.class);
    private static final String TOPIC = "scheduler";
    private static final String FANOUT = TOPIC + "_fanout";

    /** Returns the machine's host name; {@code berth} if the machine has none. */
    static String machineName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException noName) {
            return "berth";
        }
    }

    /**
     * Declares the queue that all schedulers share, this scheduler's own queue, and this process's fanout queue, whose
     * messages are discarded ({@link #discarded}). Returns the names of the first two.
     */
    @Override
    public List<String> declare(Channel channel) throws IOException {
        boolean lasting = durable || quorum;
        declare(
                channel, exchange,
                separate -> separate.exchangeDeclare(exchange, "topic", lasting, autoDelete, Map.of()));
        String ownQueue = TOPIC + "." + host;
        for (String queue : List.of(TOPIC, ownQueue)) {
            declareQueue(channel, queue, lasting, autoDelete, arguments(quorum, 0));
            channel.queueBind(queue, exchange, queue);
        }
        declare(channel, FANOUT,
                separate -> separate.exchangeDeclare(FANOUT, "fanout", isFanoutDurable, true, Map.of()));
        declareQueue(
                channel, fanoutQueue(), isFanoutDurable, transientTtlSeconds == 0,
                arguments(false, transientTtlSeconds));
        channel.queueBind(fanoutQueue(), FANOUT, TOPIC);
        return List.of(TOPIC, ownQueue);
    }

    /**
     * Returns the name of the fanout queue. Without a queue, RabbitMQ would delete the fanout exchange, and nova's
     * services could not cast.
     */
    @Override
    public List<String> discarded() {
        return List.of(fanoutQueue());
    }

    private String fanoutQueue() {
        return FANOUT + "_" + processId;
    }

    private interface Declaration {
        void on(Channel channel) throws IOException;
    }

    private static void declareQueue(
            Channel channel, String queue, boolean lasting, boolean autoDelete, Map<String, Object> arguments)
            throws IOException {
        declare(channel, queue, separate -> separate.queueDeclare(queue, lasting, false, autoDelete, arguments));
    }

    /**
     * Runs a declaration on a separate channel, because RabbitMQ closes the channel of a declaration that it refuses.
     * If RabbitMQ refuses because of different arguments, logs and ignores the refusal; throws any other refusal.
     */
    private static void declare(Channel channel, String name, Declaration declaration) throws IOException {
        Channel separate = channel.getConnection().createChannel();
        try {
            declaration.on(separate);
        } catch (IOException refusal) {
            if (replyCode(refusal) != AMQP.PRECONDITION_FAILED) {
                throw refusal;
            }
            Throwable cause = refusal.getCause();
            LOG.warnf("exists with other arguments than berth.nova.* sets, used as it is name=%s refused=%s",
                    name, cause == null ? refusal.getMessage() : cause.getMessage());
        } finally {
            separate.abort();
        }
    }

    /** Returns the AMQP reply code with which RabbitMQ closed the channel; 0 if RabbitMQ did not close the channel. */
    private static int replyCode(IOException refusal) {
        return refusal.getCause() instanceof ShutdownSignalException signal
                && signal.getReason() instanceof AMQP.Channel.Close close ? close.getReplyCode() : 0;
    }

    /**
     * Returns the arguments of a queue.
     *
     * @param asQuorum whether it is a quorum queue
     * @param ttlSeconds seconds without a consumer after which the queue is deleted; 0: the queue has no such argument
     */
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
