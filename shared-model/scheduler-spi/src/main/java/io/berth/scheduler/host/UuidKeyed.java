package io.berth.scheduler.host;

/**
 * A map whose keys are uuids in lower case, which it stores as numbers. Iterating over the keys would create a string
 * for each; {@link #countOf} does not.
 */
public interface UuidKeyed {
    /** Returns the number of keys of this map that the set contains. */
    int countOf(UuidSet uuids);
}
