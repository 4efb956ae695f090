package io.berth.scheduler.host;

/**
 * Implemented by maps whose keys are uuids in lower case, and which store the uuids as numbers. Iterating over the keys
 * would create a string for each; {@link #countOf} does not.
 */
public interface UuidKeyed {
    /** Returns the number of keys of this map that the set contains. */
    int countOf(UuidSet uuids);
}
