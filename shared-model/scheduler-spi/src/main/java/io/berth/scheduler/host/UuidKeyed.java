package io.berth.scheduler.host;

/** A map by uuid, as text in lower case, that does not store text: reading its keys as text creates it. */
public interface UuidKeyed {
    /** Returns how many of its keys are among these. */
    int countOf(UuidSet uuids);
}
