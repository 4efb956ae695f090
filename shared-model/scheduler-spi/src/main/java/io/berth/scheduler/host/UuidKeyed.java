package io.berth.scheduler.host;

/** A map by uuid, as text in lower case, that holds no texts: to look at its keys as such would make them. */
public interface UuidKeyed {
    /** Returns how many of its keys are among these. */
    int countOf(UuidSet uuids);
}
