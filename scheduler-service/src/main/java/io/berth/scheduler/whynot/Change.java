package io.berth.scheduler.whynot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.question.Hypothesis;

/**
 * Something an operator, or who asks, can do.
 *
 * @param key two changes with the same key exclude each other: the later one takes the other's place
 * @param ofRequest whether the request changes, and not the cloud
 * @param told with the call that does it, or who sets it
 */
record Change(String key, boolean ofRequest, ObjectNode told, Effect effect) {
    /** What it would make of cloud and request. */
    interface Effect {
        /** @param request may be changed */
        void on(Hypothesis cloud, ObjectNode request);
    }
}
