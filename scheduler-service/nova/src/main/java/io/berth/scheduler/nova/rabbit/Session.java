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
 * One connection to RabbitMQ, from the declaration of the queues to the end of the connection. The session ends when
 * the connection, one of its channels or one of its consumers ends, when a reply is not confirmed in time, or when
 * another operation fails. Methods block.
 */
final class Session implements AutoCloseable {
    /** How long a publisher waits for RabbitMQ's confirmation; the session ends if it is late. */
    private static final int CONFIRM_MS_MAX = 10_000;
    /** The time limit of closing the connection. */
    private static final int CLOSE_MS_MAX = 5_000;
    /** The properties of replies; mode 2 is persistent. */
    private static final AMQP.BasicProperties PROPERTIES = new AMQP.BasicProperties.Builder()
            .contentType("application/json")
            .contentEncoding("utf-8")
            .deliveryMode(2)
            .priority(0)
            .build();

    /**
     * Receives deliveries and redeliveries, on a thread of the RabbitMQ client. Each must be acknowledged once
     * ({@link Session#acknowledge}).
     */
    interface Inbox {
        /**
         * Receives a message.
         *
         * @param tag number of the delivery in the session, for its acknowledgement
         * @param isRedelivered whether the message was delivered before
         * @param compression value of kombu's header {@code compression}; null if the body is not compressed
         */
        void delivered(Session session, long tag, boolean isRedelivered, @Nullable String compression, byte[] body);
    }

    /** The result of publishing a reply. */
    enum PublishResult {
        /** The caller's queue accepted the reply. */
        QUEUED,
        /** The caller's queue does not exist: RabbitMQ returned the reply as unroutable. */
        NO_QUEUE,
        /**
         * RabbitMQ refused the reply, for example because the caller's queue is full. The caller may have received the
         * reply nevertheless, because a queue may deliver a reply and fail afterwards.
         */
        REFUSED,
        /** The result is unknown: the session ended before the confirmation, or the thread was interrupted. */
        LOST
    }

    private final Connection connection;
    private final Channel inChannel;
    private final Channel outChannel;
    private final List<String> consumers = new CopyOnWriteArrayList<>();
    private final CountDownLatch endLatch = new CountDownLatch(1);
    /** Why the session ended. */
    private volatile String endReason = "closed";
    /** True if RabbitMQ has returned the last published message as unroutable. */
    private volatile boolean isReturned;

    private Session(Connection connection) throws IOException {
        this.connection = connection;
        this.inChannel = connection.createChannel();
        this.outChannel = connection.createChannel();
    }

    /**
     * Declares the queues and starts consuming. If RabbitMQ refuses or does not respond, closes the connection and
     * throws the failure.
     */
    static Session open(Connection connection, Queues queues, int prefetch, Inbox inbox) throws IOException {
        try {
            Session session = new Session(connection);
            session.begin(queues, prefetch, inbox);
            return session;
        } catch (IOException | RuntimeException failure) {
            connection.abort(CLOSE_MS_MAX);
            throw failure;
        }
    }

    private void begin(Queues queues, int prefetch, Inbox inbox) throws IOException {
        connection.addShutdownListener(this::onShutdown);
        inChannel.addShutdownListener(this::onShutdown);
        outChannel.addShutdownListener(this::onShutdown);
        outChannel.confirmSelect();
        // RabbitMQ returns an unroutable message before it confirms this message.
        outChannel.addReturnListener(unroutable -> isReturned = true);
        // Limits each consumer, not the channel: quorum queues refuse a limit for the channel.
        inChannel.basicQos(prefetch, false);
        for (String queue : queues.declare(inChannel)) {
            consumers.add(inChannel.basicConsume(queue, false, new Reader(inbox)));
        }
        // Messages of these queues are acknowledged automatically and discarded: the queues exist only so that nova's
        // services can send to their exchange.
        for (String queue : queues.discarded()) {
            consumers.add(inChannel.basicConsume(
                    queue, true, new Reader((session, tag, isRedelivered, compression, body) -> {})));
        }
    }

    private final class Reader extends DefaultConsumer {
        private final Inbox inbox;

        Reader(Inbox inbox) {
            super(inChannel);
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

        /**
         * Ends the session, because RabbitMQ has cancelled a consumer: its queue was deleted or moves to another node.
         */
        @Override
        public void handleCancel(String consumerTag) {
            end("a consumer was cancelled");
        }
    }

    private void onShutdown(ShutdownSignalException signal) {
        end(String.valueOf(signal.getMessage()));
    }

    private void end(String reason) {
        if (endLatch.getCount() > 0) {
            endReason = reason;
        }
        endLatch.countDown();
    }

    /** Waits for the end of the session, and returns its reason. */
    String awaitEnd() throws InterruptedException {
        endLatch.await();
        return endReason;
    }

    /** Publishes a reply and waits for RabbitMQ's confirmation. Only one thread may call this at a time. */
    PublishResult publish(Reply reply) {
        isReturned = false;
        try {
            outChannel.basicPublish("", reply.queue(), true, PROPERTIES, reply.body());
            boolean isAccepted = outChannel.waitForConfirms(CONFIRM_MS_MAX);
            return isReturned ? PublishResult.NO_QUEUE : isAccepted ? PublishResult.QUEUED : PublishResult.REFUSED;
        } catch (IOException | TimeoutException | RuntimeException failure) {
            end("a reply was not confirmed: " + failure);
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
                inChannel.basicCancel(consumer);
            } catch (IOException | RuntimeException failure) {
                end("a consumer could not be cancelled: " + failure);
            }
        }
    }

    /** Acknowledges a delivery. Has no effect after the end of the session; RabbitMQ then redelivers the message. */
    void acknowledge(long tag) {
        try {
            inChannel.basicAck(tag, false);
        } catch (IOException | RuntimeException failure) {
            end("a message could not be acknowledged: " + failure);
        }
    }

    @Override
    public void close() {
        end("closed");
        connection.abort(CLOSE_MS_MAX);
    }
}
