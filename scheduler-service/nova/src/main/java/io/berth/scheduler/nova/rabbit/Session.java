package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.ShutdownSignalException;
import io.berth.scheduler.nova.message.Reply;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;

/**
 * One connection to RabbitMQ, from the declaration of the queues to the connection's end. The session ends when the
 * connection, one of its channels or one of its consumers ends. Methods block.
 */
final class Session implements AutoCloseable {
    /** How long a publisher waits for RabbitMQ's confirmation. */
    private static final int CONFIRM_MS_MAX = 10_000;
    private static final int CLOSE_MS_MAX = 5_000;
    private static final AMQP.BasicProperties PROPERTIES = new AMQP.BasicProperties.Builder()
            .contentType("application/json")
            .contentEncoding("utf-8")
            .deliveryMode(2)
            .priority(0)
            .build();

    /** Receives deliveries and redeliveries, on a thread of the RabbitMQ client; each must be acknowledged once. */
    interface Inbox {
        void delivered(Session session, long tag, boolean isAgain, @Nullable String compression, byte[] body);
    }

    /** The result of publishing a reply. */
    enum PublishResult {
        /** The caller's queue accepted the reply. */
        QUEUED,
        /** The caller's queue does not exist: RabbitMQ returned the reply as unroutable. */
        NO_QUEUE,
        /**
         * RabbitMQ refused the reply, for example because the caller's queue is full. A queue that failed may have
         * delivered the reply before.
         */
        REFUSED,
        /** The result is unknown: the session ended, or the thread was interrupted. */
        LOST
    }

    private final Connection connection;
    private final Channel in;
    private final Channel out;
    private final List<String> consumers = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile String why = "closed";
    /** True if RabbitMQ has returned the last message as unroutable. */
    private volatile boolean returned;

    private Session(Connection connection) throws IOException {
        this.connection = connection;
        this.in = connection.createChannel();
        this.out = connection.createChannel();
    }

    /** Declares the queues and starts consuming. If RabbitMQ refuses, closes the connection and fails. */
    static Session open(Connection connection, Queues queues, int prefetch, Inbox inbox) throws IOException {
        try {
            Session session = new Session(connection);
            session.begin(queues, prefetch, inbox);
            return session;
        } catch (IOException | RuntimeException refused) {
            connection.abort(CLOSE_MS_MAX);
            throw refused;
        }
    }

    private void begin(Queues queues, int prefetch, Inbox inbox) throws IOException {
        connection.addShutdownListener(this::ends);
        in.addShutdownListener(this::ends);
        out.addShutdownListener(this::ends);
        out.confirmSelect();
        // RabbitMQ returns an unroutable message before it confirms the message.
        out.addReturnListener(unroutable -> returned = true);
        // Limits each consumer, not the channel: quorum queues refuse a limit for the channel.
        in.basicQos(prefetch, false);
        for (String queue : queues.declare(in)) {
            consumers.add(in.basicConsume(queue, false, new Reader(inbox)));
        }
        for (String queue : queues.unread()) {
            consumers.add(in.basicConsume(queue, true, new Reader((session, tag, isAgain, compression, body) -> {})));
        }
    }

    private final class Reader extends DefaultConsumer {
        private final Inbox inbox;

        Reader(Inbox inbox) {
            super(in);
            this.inbox = inbox;
        }

        @Override
        public void handleDelivery(
                String consumerTag,
                com.rabbitmq.client.Envelope delivery,
                AMQP.BasicProperties properties,
                byte[] body) {
            Object compression = properties.getHeaders() == null ? null : properties.getHeaders().get("compression");
            inbox.delivered(
                    Session.this,
                    delivery.getDeliveryTag(),
                    delivery.isRedeliver(),
                    compression == null ? null : compression.toString(),
                    body);
        }

        /** Ends the session. RabbitMQ cancels a consumer whose queue was deleted or moves to another node. */
        @Override
        public void handleCancel(String consumerTag) {
            end("a consumer was cancelled");
        }
    }

    private void ends(ShutdownSignalException signal) {
        end(signal.getMessage());
    }

    private void end(String because) {
        if (over.getCount() > 0) {
            why = because;
        }
        over.countDown();
    }

    /** Waits for the end and returns its reason. */
    String awaitEnd() throws InterruptedException {
        over.await();
        return why;
    }

    /** Publishes a reply and waits for RabbitMQ's confirmation. Must be called by one thread at a time. */
    PublishResult publish(Reply reply) {
        returned = false;
        try {
            out.basicPublish("", reply.queue(), true, PROPERTIES, reply.body());
            boolean isAccepted = out.waitForConfirms(CONFIRM_MS_MAX);
            return returned ? PublishResult.NO_QUEUE : isAccepted ? PublishResult.QUEUED : PublishResult.REFUSED;
        } catch (IOException | TimeoutException | RuntimeException lost) {
            end("a reply was not confirmed: " + lost);
            return PublishResult.LOST;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return PublishResult.LOST;
        }
    }

    /** Stops the consumers; messages already delivered still get their replies. */
    void stopReading() {
        for (String consumer : consumers) {
            try {
                in.basicCancel(consumer);
            } catch (IOException | RuntimeException lost) {
                end("a consumer could not be cancelled: " + lost);
            }
        }
    }

    /** Acknowledges a delivery. Has no effect after the end of the session: RabbitMQ redelivers the message. */
    void acknowledge(long tag) {
        try {
            in.basicAck(tag, false);
        } catch (IOException | RuntimeException lost) {
            end("a message could not be acknowledged: " + lost);
        }
    }

    @Override
    public void close() {
        end("closed");
        connection.abort(CLOSE_MS_MAX);
    }
}
