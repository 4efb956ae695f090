package io.berth.scheduler.host;

/**
 * A map whose keys are uuids as text in lower case. It stores them as numbers, so iterating over the keys would create
 * a text for each.
 */
public interface UuidKeyed {
    /** Returns the number of this map's keys that the set contains. */
    int countOf(UuidSet uuids);
}
