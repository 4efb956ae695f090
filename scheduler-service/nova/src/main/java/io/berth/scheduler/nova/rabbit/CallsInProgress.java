package io.berth.scheduler.nova.rabbit;

import io.berth.scheduler.nova.message.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The unique ids of the messages in progress and of the latest completed messages, so that a redelivered message is not
 * processed twice. A message without an id is always processed. Thread-safe.
 */
final class CallsInProgress {
    /**
     * The maximum number of completed messages that are remembered; the oldest is forgotten first. oslo.messaging
     * remembers 16. Berth needs more, because it acknowledges a message only after the reply, so that RabbitMQ may
     * redeliver more messages after a lost connection.
     */
    private static final int DONE_MAX = 1_000;

    /**
     * A delivery of a message, which must be acknowledged.
     *
     * @param tag RabbitMQ's number of the delivery in the session
     * @param isRedelivered whether the message was delivered before, perhaps to another scheduler that replied
     */
    record Delivery(Session session, long tag, boolean isRedelivered) {
        void acknowledge() {
            session.acknowledge(tag);
        }
    }

    /** How to handle a delivery. */
    enum DeliveryAction {
        /** The message is new: process it. */
        WORK,
        /**
         * The message is in progress: do nothing, because {@link #end} returns this delivery together with the first.
         */
        WAIT,
        /** The message was completed: only acknowledge this delivery. */
        DROP
    }

    /** The deliveries of each message in progress, by the message's unique id. */
    private final Map<String, List<Delivery>> inProgress = new HashMap<>();
    /** Unique ids of completed messages; the values are always true. */
    private final Map<String, Boolean> completedCalls = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > DONE_MAX;
        }
    };

    /** Notes a delivery, and returns how to handle it. */
    synchronized DeliveryAction begin(Message message, Delivery delivery) {
        String id = message.uniqueId();
        if (id == null) {
            return DeliveryAction.WORK;
        }
        if (completedCalls.containsKey(id)) {
            return DeliveryAction.DROP;
        }
        List<Delivery> deliveries = inProgress.get(id);
        if (deliveries == null) {
            inProgress.put(id, new ArrayList<>(List.of(delivery)));
            return DeliveryAction.WORK;
        }
        // The earlier delivery's connection is lost, or the message was sent twice.
        deliveries.add(delivery);
        return DeliveryAction.WAIT;
    }

    /**
     * Marks a message as completed, and returns all its deliveries, which must be acknowledged.
     *
     * @param first the delivery for which {@link #begin} returned {@code WORK}
     */
    synchronized List<Delivery> end(Message message, Delivery first) {
        String id = message.uniqueId();
        if (id == null) {
            return List.of(first);
        }
        completedCalls.put(id, true);
        List<Delivery> all = inProgress.remove(id);
        return all == null ? List.of(first) : all;
    }

    /** Returns the number of messages with an id that are in progress. */
    synchronized int count() {
        return inProgress.size();
    }
}
