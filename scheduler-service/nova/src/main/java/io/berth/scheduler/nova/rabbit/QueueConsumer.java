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
 * <p>A message is acknowledged once its reply is in the caller's queue, so that RabbitMQ redelivers the messages of a
 * scheduler that dies. The reply is retried while there is no session or the caller's queue is missing. If the reply
 * reached no queue, or the caller may have given up before it, the call is undone before the message is acknowledged.
 * Calls that are being undone occupy at most half of the prefetch, unless they are very many
 * ({@link #UNHEARD_PER_PLACE_MAX}).
 *
 * <p>In shadow mode ({@link #inShadow}) it reads copies of messages and sends no replies.
 */
final class QueueConsumer implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(QueueConsumer.class);
    /**
     * The pause after an attempt to connect to every host. It is short, because RabbitMQ silently drops calls to a
     * queue that it lost until the scheduler declares the queue again.
     */
    private static final long PAUSE_MS = 500;
    /** The interval of retries of a reply, and the minimum interval of heartbeats. */
    private static final long AGAIN_MS = 250;
    /** How long a reply is retried. As in oslo.messaging: kombu_missing_consumer_retry_timeout. */
    static final Duration TRIED_FOR = Duration.ofSeconds(60);
    /** How long {@link #close} waits for messages in progress. */
    private static final long FINISH_MS_MAX = 15_000;
    /**
     * The maximum heap is divided by this: the result is a limit for the bytes of one body, beside
     * {@link #BODY_BYTES_MAX}. Larger messages are dropped. Calls are far smaller: one for a thousand instances has 60
     * KB.
     */
    private static final int BODY_PART_OF_HEAP = 16;
    private static final long BODY_BYTES_MAX = 16 << 20;
    /**
     * If more than this times the prefetch calls are being undone, the messages of further ones stay unacknowledged
     * again. RabbitMQ then delivers fewer messages, which bounds the calls in memory.
     */
    private static final int UNHEARD_PER_PLACE_MAX = 8;

    /** The handler of messages. */
    interface Methods {
        /** Processes a message; calls exactly one of {@code answered} and {@code failed}, on any thread. */
        void run(Message message, Consumer<JsonNode> answered, Consumer<Failure> failed);

        /**
         * Undoes a call whose caller gave up, or may have given up, before the reply. The message usually stays
         * unacknowledged until {@code done} is called; see {@link QueueConsumer}.
         *
         * @param surely whether it is certain that no queue accepted the reply
         */
        void unheard(Message message, JsonNode answer, boolean surely, Runnable done);
    }

    private final Brokers brokers;
    private final Queues queues;
    private final boolean answers;
    private final int prefetch;
    private final long triedForNanos;
    private final Methods methods;
    private final int bodyBytesMax =
            (int) Math.min(BODY_BYTES_MAX, Runtime.getRuntime().maxMemory() / BODY_PART_OF_HEAP);
    private final CallsUnderWay calls = new CallsUnderWay();
    private final AbsentQueues absent = new AbsentQueues();
    /** The number of calls that {@link Methods#unheard} is undoing. */
    private final AtomicInteger unheard = new AtomicInteger();
    /**
     * Runs everything that blocks, on one thread: replies, heartbeats, acknowledgements. Its queue holds at most one
     * reply per message in progress.
     */
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("nova-replies").daemon().factory());
    /** Opens one session after the other until {@link #closing}. */
    private final Thread keeper = Thread.ofPlatform().name("nova-connection").daemon().unstarted(this::keep);
    private volatile @Nullable Session session;
    private volatile boolean closing;

    private QueueConsumer(
            Brokers brokers, Queues queues, boolean answers, int prefetch, Duration triedFor, Methods methods) {
        this.brokers = brokers;
        this.queues = queues;
        this.answers = answers;
        this.prefetch = prefetch;
        this.triedForNanos = triedFor.toNanos();
        this.methods = methods;
    }

    /**
     * Starts to consume nova's queues and to reply.
     *
     * @param prefetch maximum unacknowledged messages of each queue
     * @param triedFor how long a reply is retried; a queue that is missing all this time is then given up for a minute
     */
    static QueueConsumer start(Brokers brokers, Topology topology, int prefetch, Duration triedFor, Methods methods) {
        return new QueueConsumer(brokers, topology, true, prefetch, triedFor, methods).started();
    }

    /**
     * Starts to consume copies of nova-scheduler's messages. Acknowledges each once it is processed, and sends no
     * replies.
     */
    static QueueConsumer inShadow(Brokers brokers, ShadowQueue queue, int prefetch, Methods methods) {
        return new QueueConsumer(brokers, queue, false, prefetch, TRIED_FOR, methods).started();
    }

    private QueueConsumer started() {
        keeper.start();
        return this;
    }

    boolean isConnected() {
        return session != null;
    }

    private void keep() {
        int failures = 0;
        try {
            while (!closing) {
                try (Session opened = Session.open(brokers.connect(), queues, prefetch, this::delivered)) {
                    session = opened;
                    LOG.infof("connected to nova's RabbitMQ brokers=%s", brokers);
                    failures = 0;
                    String why = opened.awaitEnd();
                    if (!closing) {
                        LOG.warnf("connection to nova's RabbitMQ ended cause=%s", why);
                    }
                } catch (IOException | TimeoutException | RuntimeException refused) {
                    failures++;
                    // Logs failures number 1, 2, 4, 8 and so on.
                    if (Integer.bitCount(failures) == 1) {
                        LOG.warnf("cannot consume from nova's RabbitMQ times=%d cause=%s refused=%s",
                                failures, refused, refused.getCause());
                    }
                } finally {
                    session = null;
                }
                // Tries all hosts before it pauses.
                if (!closing && failures % brokers.count() == 0) {
                    Thread.sleep(PAUSE_MS);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void delivered(
            Session from, long tag, boolean isAgain, @Nullable String compression, byte[] body) {
        var delivery = new CallsUnderWay.Delivery(from, tag, isAgain);
        try {
            if (body.length > bodyBytesMax) {
                LOG.warnf("message dropped: too large bytes=%d max=%d", body.length, bodyBytesMax);
                sender.execute(delivery::acknowledge);
                return;
            }
            switch (Envelope.read(body, compression, bodyBytesMax)) {
                case Envelope.Read.Understood(Message message) ->
                    work(answers ? message : message.withoutReply(), delivery);
                case Envelope.Read.Unreadable(String why, Message.ReplyTo reply) -> {
                    LOG.warnf("message cannot be read cause=%s answered=%s", why, reply != null && answers);
                    if (reply == null || !answers) {
                        sender.execute(delivery::acknowledge);
                    } else {
                        sender.execute(new Sending(
                                Reply.failure(reply, Failure.valueError(why)), sent -> delivery.acknowledge()));
                    }
                }
            }
        } catch (RuntimeException broken) {
            // A message that triggers a fault in this service must not be redelivered for ever.
            LOG.errorf(broken, "message dropped after an internal error");
            sender.execute(delivery::acknowledge);
        }
    }

    private void work(Message message, CallsUnderWay.Delivery delivery) {
        switch (calls.begin(message, delivery)) {
            case WAIT -> LOG.infof("message redelivered while it is processed %s", message);
            case DROP -> sender.execute(delivery::acknowledge);
            case WORK -> {
                LOG.debugf("message came %s", message);
                CallerDeadline patience = new CallerDeadline(message, Instant.now(), System.nanoTime());
                ScheduledFuture<?> heartbeat = heartbeat(message, patience);
                methods.run(
                        message,
                        result -> finish(message, heartbeat, delivery, message.reply() == null ? null : new Sending(
                                Reply.result(message.reply(), result),
                                sent -> ended(message, delivery, result, patience, sent))),
                        failure -> finish(message, heartbeat, delivery, message.reply() == null ? null : new Sending(
                                Reply.failure(message.reply(), failure),
                                sent -> done(message, delivery))));
            }
        }
    }

    /** Starts heartbeats to the caller; returns null if the caller wants none. */
    private @Nullable ScheduledFuture<?> heartbeat(Message message, CallerDeadline patience) {
        if (message.reply() == null || message.heartbeatWithin() == null) {
            return null;
        }
        long everyMs = Math.max(message.heartbeatWithin().toMillis() / 2, AGAIN_MS);
        return sender.scheduleWithFixedDelay(
                () -> {
                    Session now = session;
                    long sentNanos = System.nanoTime();
                    if (now != null && now.publish(Reply.heartbeat(message.reply())) == Session.PublishResult.QUEUED) {
                        patience.taken(sentNanos, System.nanoTime());
                    }
                },
                everyMs,
                everyMs,
                TimeUnit.MILLISECONDS);
    }

    private void finish(
            Message message,
            @Nullable ScheduledFuture<?> heartbeat,
            CallsUnderWay.Delivery delivery,
            @Nullable Sending sending) {
        if (heartbeat != null) {
            heartbeat.cancel(false);
        }
        try {
            sender.execute(sending == null ? () -> done(message, delivery) : sending);
        } catch (RejectedExecutionException stopped) {
            // The message is not acknowledged, so it goes to another scheduler.
            LOG.debugf("shutting down: no reply sent, message left for another scheduler has_reply=%s",
                    sending != null);
        }
    }

    private void ended(
            Message message, CallsUnderWay.Delivery delivery, JsonNode result, CallerDeadline patience, Sent sent) {
        if (sent.outcome() == Outcome.TAKEN) {
            patience.taken(sent.lastNanos(), System.nanoTime());
        }
        // If the message was redelivered, or the session of the delivery was lost, another scheduler may have undone
        // the call.
        boolean isOurs = !delivery.isAgain() && delivery.session() == session;
        if (sent.outcome() == Outcome.TAKEN && !patience.isDoubtful() && isOurs) {
            done(message, delivery);
        } else {
            boolean surely = sent.outcome() == Outcome.NOT_TAKEN && isOurs;
            int count = unheard.incrementAndGet();
            // After a backlog, all callers may have given up. New callers must not wait until all those calls are
            // undone.
            boolean stays = count <= (prefetch + 1) / 2 || count > UNHEARD_PER_PLACE_MAX * prefetch;
            if (!stays) {
                done(message, delivery);
            }
            methods.unheard(message, result, surely, () -> {
                unheard.decrementAndGet();
                if (stays) {
                    later(() -> done(message, delivery));
                }
            });
        }
    }

    private void later(Runnable work) {
        try {
            sender.execute(work);
        } catch (RejectedExecutionException stopped) {
            LOG.debugf("shutting down: message not acknowledged");
        }
    }

    private void done(Message message, CallsUnderWay.Delivery delivery) {
        LOG.debugf("message done %s", message);
        calls.end(message, delivery).forEach(CallsUnderWay.Delivery::acknowledge);
    }

    /** The final result of sending a reply. */
    private enum Outcome {
        /** The caller's queue accepted the reply. */
        TAKEN,
        /** No queue accepted the reply. */
        NOT_TAKEN,
        /**
         * A session ended before RabbitMQ confirmed the reply, or RabbitMQ refused it, so the caller's queue may have
         * delivered it.
         */
        NOT_KNOWN
    }

    /** @param lastNanos when the reply was last sent, in {@link System#nanoTime} */
    private record Sent(Outcome outcome, long lastNanos) {}

    /**
     * Sends a reply, and repeats that until a queue accepts the reply or the time is over. Runs on {@link #sender}
     * only.
     */
    private final class Sending implements Runnable {
        private final Reply reply;
        private final Consumer<Sent> ended;
        private final long began = System.nanoTime();
        private boolean mayBeTaken;
        private boolean isAbsent;
        private long absentSince;

        Sending(Reply reply, Consumer<Sent> ended) {
            this.reply = reply;
            this.ended = ended;
        }

        @Override
        public void run() {
            Session now = session;
            long sentNanos = System.nanoTime();
            Session.PublishResult published = now == null ? Session.PublishResult.LOST : now.publish(reply);
            if (published == Session.PublishResult.QUEUED) {
                absent.isThere(reply.queue());
                ended.accept(new Sent(Outcome.TAKEN, sentNanos));
                return;
            }
            mayBeTaken |= published != Session.PublishResult.NO_QUEUE;
            boolean isMissing = published == Session.PublishResult.NO_QUEUE;
            absentSince = isAbsent ? absentSince : sentNanos;
            isAbsent = isMissing;
            // After a restart of RabbitMQ, a caller declares its queue again only after it has connected.
            boolean isGone = isMissing
                    && (absent.isGivenUp(reply.queue()) || System.nanoTime() - absentSince > triedForNanos);
            if (isGone || System.nanoTime() - began > (isMissing ? 2 : 1) * triedForNanos) {
                LOG.warnf("reply given up: no queue accepted it in time queue=%s outcome=%s", reply.queue(), published);
                if (isGone) {
                    absent.giveUp(reply.queue());
                }
                ended.accept(new Sent(mayBeTaken ? Outcome.NOT_KNOWN : Outcome.NOT_TAKEN, sentNanos));
            } else {
                sender.schedule(this, AGAIN_MS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Stops at once. RabbitMQ redelivers the messages in progress, as if the process had died. */
    void abandon() {
        closing = true;
        keeper.interrupt();
        sender.shutdownNow();
        Session last = session;
        if (last != null) {
            last.close();
        }
    }

    /** Stops consuming messages, and waits up to 15 seconds for the replies of those in progress. Blocks. */
    @Override
    public void close() {
        closing = true;
        Session last = session;
        if (last != null) {
            last.stopReading();
        }
        try {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FINISH_MS_MAX);
            while (calls.count() > 0 && session != null && System.nanoTime() < until) {
                Thread.sleep(AGAIN_MS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        abandon();
    }
}
