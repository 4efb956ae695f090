package io.berth.scheduler.mirror;

/** What an attempt to bring a host, or a part of it, to placement comes to. */
sealed interface Mirrored {
    Mirrored DONE = new Done();

    /** Placement holds what the registry wants. */
    record Done() implements Mirrored {}

    /** Placement answers, and will not do it as things are. */
    record Refused(String why) implements Mirrored {}

    /** Placement does not answer. Other hosts need not be tried now. */
    record Unreachable(String why) implements Mirrored {}
}
