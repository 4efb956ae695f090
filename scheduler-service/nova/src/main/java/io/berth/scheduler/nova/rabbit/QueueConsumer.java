package io.berth.scheduler.nova.rabbit;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.nova.message.Envelope;
import io.berth.scheduler.nova.message.Failure;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.nova.message.Reply;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Consumes nova's queues, over one session at a time, and replies.
 *
 * <p>A message is acknowledged once its reply is in the caller's queue or is given up, so that RabbitMQ redelivers the
 * messages of a scheduler that dies. A reply that no queue accepted is sent again, for a limited time ({@link #start}).
 * If it is not certain that the caller has received the result in time, {@link Methods#undo} undoes the call where
 * necessary. While few calls are being undone (up to half of the prefetch), their messages are acknowledged after the
 * undo, so that RabbitMQ delivers fewer new messages meanwhile. The messages of further calls are acknowledged before
 * it, so that new calls are delivered. Beyond {@link #UNDONE_PER_PREFETCH_MAX} times the prefetch, they are again
 * acknowledged after it.
 *
 * <p>In shadow mode ({@link #inShadow}), copies of messages are consumed, and no replies are sent.
 */
final class QueueConsumer implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(QueueConsumer.class);
    /**
     * The pause after a session ended, and after attempts to connect to each host failed. The pause is short, because
     * RabbitMQ silently drops calls to a queue that it has lost, until the scheduler declares this queue again.
     */
    private static final long PAUSE_MS = 500;
    /** The interval of retries of a reply and of checks in {@link #close}, and the minimum interval of heartbeats. */
    private static final long RETRY_MS = 250;
    /**
     * The time for which {@link #start} retries a reply, as in oslo.messaging
     * ({@code kombu_missing_consumer_retry_timeout}).
     */
    static final Duration RETRY_TIME = Duration.ofSeconds(60);
    /** How long {@link #close} waits for messages in progress. */
    private static final long FINISH_MS_MAX = 15_000;
    /**
     * The body of a message may have at most the maximum heap divided by this number, and at most
     * {@link #BODY_BYTES_MAX}. Larger messages are dropped without a reply. Calls are far smaller: a call for a
     * thousand instances has 60 KB.
     */
    private static final int HEAP_TO_BODY_MIN = 16;
    private static final long BODY_BYTES_MAX = 16 << 20;
    /**
     * If the number of calls that are being undone exceeds this number times the prefetch, further messages are
     * acknowledged only after the undo. RabbitMQ then delivers fewer messages, which bounds the calls in memory.
     */
    private static final int UNDONE_PER_PREFETCH_MAX = 8;

    /** The handler of messages. */
    interface Methods {
        /** Processes a message. Calls exactly one of {@code onResult} and {@code onFailure}, on any thread. */
        void run(Message message, Consumer<JsonNode> onResult, Consumer<Failure> onFailure);

        /**
         * Undoes a call, unless the caller has received the result. Called if this is not certain: no queue accepted
         * the reply, the caller may have given up before the reply, or another scheduler may have processed the
         * message, too. The message usually stays unacknowledged until {@code done} is called; see {@link
         * QueueConsumer}.
         *
         * @param result the result of the call
         * @param isUndelivered whether it is certain that no queue accepted the reply
         * @param done called once, when the undo has ended or failed
         */
        void undo(Message message, JsonNode result, boolean isUndelivered, Runnable done);
    }

    private final Brokers brokers;
    private final Queues queues;
    /** True if replies are sent; false in shadow mode. */
    private final boolean isReplying;
    private final int prefetch;
    private final long retryNanos;
    private final Methods methods;
    private final int bodyBytesMax =
            (int) Math.min(BODY_BYTES_MAX, Runtime.getRuntime().maxMemory() / HEAP_TO_BODY_MIN);
    private final CallsInProgress calls = new CallsInProgress();
    private final GivenUpQueues givenUpQueues = new GivenUpQueues();
    /** The number of calls that are being undone by {@link Methods#undo}. */
    private final AtomicInteger undoingCount = new AtomicInteger();
    /**
     * The thread for everything that blocks: replies, heartbeats, acknowledgements. Its queue needs no limit, because a
     * message in progress has at most one of each in the queue.
     */
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("nova-replies").daemon().factory());
    /** The thread that opens one session after the other, until {@link #isClosing}. */
    private final Thread keeper = Thread.ofPlatform().name("nova-connection").daemon().unstarted(this::keepSession);
    /** The open session; null if there is none. */
    private volatile @Nullable Session session;
    private volatile boolean isClosing;

    private QueueConsumer(
            Brokers brokers, Queues queues, boolean isReplying, int prefetch, Duration retryTime, Methods methods) {
        this.brokers = brokers;
        this.queues = queues;
        this.isReplying = isReplying;
        this.prefetch = prefetch;
        this.retryNanos = retryTime.toNanos();
        this.methods = methods;
    }

    /**
     * Starts to consume nova's queues and to reply.
     *
     * @param prefetch maximum number of unacknowledged messages of each queue
     * @param retryTime how long a reply is retried. If its queue goes missing during this time, the reply is retried
     *     until the queue has been missing for {@code retryTime}, but for no longer than twice {@code retryTime}. Then,
     *     for a minute, replies to the missing queue are sent only once
     */
    static QueueConsumer start(Brokers brokers, Topology topology, int prefetch, Duration retryTime, Methods methods) {
        return new QueueConsumer(brokers, topology, true, prefetch, retryTime, methods).startThread();
    }

    /**
     * Starts to consume copies of nova-scheduler's messages. Acknowledges each copy once it is processed, and sends no
     * replies.
     */
    static QueueConsumer inShadow(Brokers brokers, ShadowQueue queue, int prefetch, Methods methods) {
        return new QueueConsumer(brokers, queue, false, prefetch, RETRY_TIME, methods).startThread();
    }

    private QueueConsumer startThread() {
        keeper.start();
        return this;
    }

    boolean isConnected() {
        return session != null;
    }

    private void keepSession() {
        int failures = 0;
        try {
            while (!isClosing) {
                try (Session opened = Session.open(brokers.connect(), queues, prefetch, this::delivered)) {
                    session = opened;
                    LOG.infof("connected to nova's RabbitMQ brokers=%s", brokers);
                    failures = 0;
                    String why = opened.awaitEnd();
                    if (!isClosing) {
                        LOG.warnf("connection to nova's RabbitMQ ended cause=%s", why);
                    }
                } catch (IOException | TimeoutException | RuntimeException failure) {
                    failures++;
                    // Logs failures number 1, 2, 4, 8 and so on.
                    if (Integer.bitCount(failures) == 1) {
                        LOG.warnf("cannot consume from nova's RabbitMQ times=%d cause=%s underlying=%s",
                                failures, failure, failure.getCause());
                    }
                } finally {
                    session = null;
                }
                // Pauses after a session, and otherwise only once all hosts have failed.
                if (!isClosing && failures % brokers.count() == 0) {
                    Thread.sleep(PAUSE_MS);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void delivered(
            Session session, long tag, boolean isRedelivered, @Nullable String compression, byte[] body) {
        var delivery = new CallsInProgress.Delivery(session, tag, isRedelivered);
        try {
            if (body.length > bodyBytesMax) {
                LOG.warnf("message dropped: too large bytes=%d max=%d", body.length, bodyBytesMax);
                sender.execute(delivery::acknowledge);
                return;
            }
            switch (Envelope.read(body, compression, bodyBytesMax)) {
                case Envelope.Read.Understood(Message message) ->
                    process(isReplying ? message : message.withoutReply(), delivery);
                case Envelope.Read.Unreadable(String why, Message.ReplyTo reply) -> {
                    LOG.warnf("message cannot be read cause=%s answered=%s", why, reply != null && isReplying);
                    if (reply == null || !isReplying) {
                        sender.execute(delivery::acknowledge);
                    } else {
                        sender.execute(new Sending(
                                Reply.failure(reply, Failure.valueError(why)), sent -> delivery.acknowledge()));
                    }
                }
            }
        } catch (RuntimeException fault) {
            // Acknowledges the message, because a message that triggers a fault here would be redelivered for ever.
            LOG.errorf(fault, "message dropped after an internal error");
            sender.execute(delivery::acknowledge);
        }
    }

    private void process(Message message, CallsInProgress.Delivery delivery) {
        switch (calls.begin(message, delivery)) {
            case WAIT -> LOG.infof("message redelivered while it is processed %s", message);
            case DROP -> sender.execute(delivery::acknowledge);
            case WORK -> {
                LOG.debugf("message came %s", message);
                CallerDeadline callerDeadline = new CallerDeadline(message, Instant.now(), System.nanoTime());
                ScheduledFuture<?> heartbeat = startHeartbeats(message, callerDeadline);
                methods.run(
                        message,
                        result -> finish(message, heartbeat, delivery, message.reply() == null ? null : new Sending(
                                Reply.result(message.reply(), result),
                                sent -> afterReply(message, delivery, result, callerDeadline, sent))),
                        failure -> finish(message, heartbeat, delivery, message.reply() == null ? null : new Sending(
                                Reply.failure(message.reply(), failure),
                                sent -> complete(message, delivery))));
            }
        }
    }

    /** Starts heartbeats to the caller; returns null if the caller expects none. */
    private @Nullable ScheduledFuture<?> startHeartbeats(Message message, CallerDeadline callerDeadline) {
        Message.ReplyTo caller = message.reply();
        Duration limit = message.heartbeatWithin();
        if (caller == null || limit == null) {
            return null;
        }
        long intervalMs = Math.max(limit.toMillis() / 2, RETRY_MS);
        return sender.scheduleWithFixedDelay(
                () -> {
                    Session current = session;
                    long sentNanos = System.nanoTime();
                    if (current != null && current.publish(Reply.heartbeat(caller)) == Session.PublishResult.QUEUED) {
                        callerDeadline.noteAccepted(sentNanos, System.nanoTime());
                    }
                },
                intervalMs,
                intervalMs,
                TimeUnit.MILLISECONDS);
    }

    /**
     * Stops the heartbeats, and sends the reply.
     *
     * @param sending the reply; null if the message expects none
     */
    private void finish(
            Message message,
            @Nullable ScheduledFuture<?> heartbeat,
            CallsInProgress.Delivery delivery,
            @Nullable Sending sending) {
        if (heartbeat != null) {
            heartbeat.cancel(false);
        }
        try {
            sender.execute(sending == null ? () -> complete(message, delivery) : sending);
        } catch (RejectedExecutionException stopped) {
            // The message is not acknowledged, so it goes to another scheduler.
            LOG.debugf("shutting down: no reply sent, message left for another scheduler has_reply=%s",
                    sending != null);
        }
    }

    /**
     * Acknowledges a message once its reply was sent or given up. If the caller may not have received the reply in
     * time, or another scheduler may have processed the message, too, also calls {@link Methods#undo}.
     */
    private void afterReply(
            Message message, CallsInProgress.Delivery delivery, JsonNode result, CallerDeadline callerDeadline,
            Sent sent) {
        if (sent.outcome() == Outcome.ACCEPTED) {
            callerDeadline.noteAccepted(sent.lastNanos(), System.nanoTime());
        }
        // If the message was redelivered, or the session of the delivery was lost, another scheduler may have processed
        // and undone the call, too.
        boolean isOurs = !delivery.isRedelivered() && delivery.session() == session;
        if (sent.outcome() == Outcome.ACCEPTED && !callerDeadline.isDoubtful() && isOurs) {
            complete(message, delivery);
        } else {
            boolean isUndelivered = sent.outcome() == Outcome.QUEUE_MISSING && isOurs;
            int count = undoingCount.incrementAndGet();
            // After a backlog, all callers may have given up. New callers must not wait until all of these calls are
            // undone, so most messages are acknowledged before the undo.
            boolean isAcknowledgedLater = count <= (prefetch + 1) / 2 || count > UNDONE_PER_PREFETCH_MAX * prefetch;
            if (!isAcknowledgedLater) {
                complete(message, delivery);
            }
            methods.undo(message, result, isUndelivered, () -> {
                undoingCount.decrementAndGet();
                if (isAcknowledgedLater) {
                    execute(() -> complete(message, delivery));
                }
            });
        }
    }

    private void execute(Runnable work) {
        try {
            sender.execute(work);
        } catch (RejectedExecutionException stopped) {
            LOG.debugf("shutting down: message not acknowledged");
        }
    }

    private void complete(Message message, CallsInProgress.Delivery delivery) {
        LOG.debugf("message done %s", message);
        calls.end(message, delivery).forEach(CallsInProgress.Delivery::acknowledge);
    }

    /** The final result of sending a reply. */
    private enum Outcome {
        /** The caller's queue accepted the reply. */
        ACCEPTED,
        /** The caller's queue was missing in each attempt. */
        QUEUE_MISSING,
        /**
         * The reply was given up, and in at least one attempt there was no session, the session ended before RabbitMQ
         * confirmed the reply, or RabbitMQ refused the reply. The caller may have received it nevertheless.
         */
        UNKNOWN
    }

    /**
     * The end of sending a reply.
     *
     * @param lastNanos when the reply was sent for the last time, in {@link System#nanoTime}
     */
    private record Sent(Outcome outcome, long lastNanos) {}

    /**
     * Sends a reply, again and again until the caller's queue accepts the reply or the time is over ({@link #start}).
     * Runs only on {@link #sender}.
     */
    private final class Sending implements Runnable {
        private final Reply reply;
        private final Consumer<Sent> onEnd;
        private final long beganNanos = System.nanoTime();
        /**
         * True if an attempt did not end with a missing queue. An attempt without a session counts, too, although it
         * sends nothing.
         */
        private boolean mayBeAccepted;
        /** True if the last attempt found no queue. */
        private boolean wasMissing;
        /**
         * The time of the first attempt in the present series of attempts that found no queue, in
         * {@link System#nanoTime}.
         */
        private long missingSinceNanos;

        Sending(Reply reply, Consumer<Sent> onEnd) {
            this.reply = reply;
            this.onEnd = onEnd;
        }

        @Override
        public void run() {
            Session current = session;
            long sentNanos = System.nanoTime();
            Session.PublishResult published = current == null ? Session.PublishResult.LOST : current.publish(reply);
            if (published == Session.PublishResult.QUEUED) {
                givenUpQueues.forget(reply.queue());
                onEnd.accept(new Sent(Outcome.ACCEPTED, sentNanos));
                return;
            }
            mayBeAccepted |= published != Session.PublishResult.NO_QUEUE;
            boolean isMissing = published == Session.PublishResult.NO_QUEUE;
            missingSinceNanos = wasMissing ? missingSinceNanos : sentNanos;
            wasMissing = isMissing;
            // A missing queue may come back: after a restart of RabbitMQ, a caller declares its queue once it is
            // connected.
            boolean isGivenUp = isMissing
                    && (givenUpQueues.isGivenUp(reply.queue()) || System.nanoTime() - missingSinceNanos > retryNanos);
            // A queue that went missing during the retries gets the full time to come back.
            if (isGivenUp || System.nanoTime() - beganNanos > (isMissing ? 2 : 1) * retryNanos) {
                LOG.warnf("reply given up: no queue accepted it in time queue=%s outcome=%s", reply.queue(), published);
                if (isGivenUp) {
                    givenUpQueues.giveUp(reply.queue());
                }
                onEnd.accept(new Sent(mayBeAccepted ? Outcome.UNKNOWN : Outcome.QUEUE_MISSING, sentNanos));
            } else {
                sender.schedule(this, RETRY_MS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Stops at once. RabbitMQ redelivers the messages in progress, as after the death of the process. */
    void abandon() {
        isClosing = true;
        keeper.interrupt();
        sender.shutdownNow();
        Session lastSession = session;
        if (lastSession != null) {
            lastSession.close();
        }
    }

    /**
     * Stops consuming messages, and waits up to 15 seconds for the messages in progress. Does not wait for messages
     * without a unique id ({@link CallsInProgress}), which are not counted. Ends the wait if there is no session,
     * because then no reply can be sent. Blocks.
     */
    @Override
    public void close() {
        isClosing = true;
        Session lastSession = session;
        if (lastSession != null) {
            lastSession.stopReading();
        }
        try {
            long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FINISH_MS_MAX);
            while (calls.count() > 0 && session != null && System.nanoTime() < deadlineNanos) {
                Thread.sleep(RETRY_MS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        abandon();
    }
}
