package io.berth.scheduler.mirror;

/** The result of an attempt to synchronize a host, or a part of it. */
sealed interface Mirrored {
    Mirrored DONE = new Done();

    /** Placement has what the registry wants. */
    record Done() implements Mirrored {}

    /** Placement responds, but refuses as long as nothing changes. */
    record Refused(String why) implements Mirrored {}

    /** Placement does not respond. Other hosts need not be tried now. */
    record Unreachable(String why) implements Mirrored {}
}
