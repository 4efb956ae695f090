package io.berth.scheduler.nova.rabbit;

import io.berth.scheduler.nova.message.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the messages in progress and the last ones that are done, so that a redelivered message is not processed twice.
 * Thread-safe.
 */
final class CallsUnderWay {
    /**
     * Limits the done messages that are kept. oslo.messaging keeps 16; here a message is acknowledged only after its
     * reply, so more may be redelivered after a lost connection.
     */
    private static final int DONE_MAX = 1_000;

    /**
     * The delivery of a message, which is to be acknowledged.
     *
     * @param isAgain whether it was delivered before, perhaps to a scheduler that replied
     */
    record Delivery(Session session, long tag, boolean isAgain) {
        void acknowledge() {
            session.acknowledge(tag);
        }
    }

    /** How to handle a delivery. */
    enum Turn {
        WORK,
        /** The message is in progress: this delivery is acknowledged with the first. */
        WAIT,
        /** The message is done. */
        DROP
    }

    private final Map<String, List<Delivery>> underWay = new HashMap<>();
    private final Map<String, Boolean> done = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > DONE_MAX;
        }
    };

    synchronized Turn begin(Message message, Delivery delivery) {
        String id = message.uniqueId();
        if (id == null) {
            return Turn.WORK;
        }
        if (done.containsKey(id)) {
            return Turn.DROP;
        }
        List<Delivery> known = underWay.get(id);
        if (known == null) {
            underWay.put(id, new ArrayList<>(List.of(delivery)));
            return Turn.WORK;
        }
        // An earlier delivery came over a connection that is lost, or the message was sent twice.
        known.add(delivery);
        return Turn.WAIT;
    }

    /** Returns all deliveries of a message that is done. */
    synchronized List<Delivery> end(Message message, Delivery first) {
        String id = message.uniqueId();
        if (id == null) {
            return List.of(first);
        }
        done.put(id, true);
        List<Delivery> all = underWay.remove(id);
        return all == null ? List.of(first) : all;
    }

    synchronized int count() {
        return underWay.size();
    }
}
