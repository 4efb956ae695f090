package io.berth.scheduler.nova.rabbit;

import io.berth.scheduler.nova.message.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Knows by their unique ids the messages in progress and the last ones that were completed, so that a redelivered
 * message is not processed twice. A message without an id is always processed. Thread-safe.
 */
final class CallsUnderWay {
    /**
     * The maximum completed messages that are remembered; the oldest is forgotten first. oslo.messaging remembers 16.
     * Berth needs more: it acknowledges a message only after its reply, so that more may be redelivered after a lost
     * connection.
     */
    private static final int DONE_MAX = 1_000;

    /**
     * A delivery of a message, which must be acknowledged.
     *
     * @param isAgain whether the message was delivered before, perhaps to another scheduler that replied
     */
    record Delivery(Session session, long tag, boolean isAgain) {
        void acknowledge() {
            session.acknowledge(tag);
        }
    }

    /** How to handle a delivery. */
    enum DeliveryAction {
        /** The message is new: process it. */
        WORK,
        /** The message is in progress: {@link #end} returns this delivery together with the first. */
        WAIT,
        /** The message was completed: only acknowledge this delivery. */
        DROP
    }

    private final Map<String, List<Delivery>> underWay = new HashMap<>();
    /** Ids of completed messages; all values are true. */
    private final Map<String, Boolean> completedCalls = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > DONE_MAX;
        }
    };

    synchronized DeliveryAction begin(Message message, Delivery delivery) {
        String id = message.uniqueId();
        if (id == null) {
            return DeliveryAction.WORK;
        }
        if (completedCalls.containsKey(id)) {
            return DeliveryAction.DROP;
        }
        List<Delivery> known = underWay.get(id);
        if (known == null) {
            underWay.put(id, new ArrayList<>(List.of(delivery)));
            return DeliveryAction.WORK;
        }
        // The earlier delivery's connection is lost, or the message was sent twice.
        known.add(delivery);
        return DeliveryAction.WAIT;
    }

    /** Marks a message as completed and returns all its deliveries, which the caller must acknowledge. */
    synchronized List<Delivery> end(Message message, Delivery first) {
        String id = message.uniqueId();
        if (id == null) {
            return List.of(first);
        }
        completedCalls.put(id, true);
        List<Delivery> all = underWay.remove(id);
        return all == null ? List.of(first) : all;
    }

    /** Returns the number of messages with an id that are in progress. */
    synchronized int count() {
        return underWay.size();
    }
}
