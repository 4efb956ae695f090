package io.berth.scheduler.host;

/** A map by uuid, as text in lower case, that stores no texts: iterating over its keys would create them. */
public interface UuidKeyed {
    /** Returns how many of its keys are among these. */
    int countOf(UuidSet uuids);
}
