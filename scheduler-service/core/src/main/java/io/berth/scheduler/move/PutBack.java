package io.berth.scheduler.move;

/** What the attempt to put everything back as it was can come to. */
public sealed interface PutBack {
    /** The instance holds what it held before, and no call still on its way can change that. */
    record Done() implements PutBack {}

    /** There is nothing to put back, or not any more: somebody else has the say over these allocations. */
    record Gone(String why) implements PutBack {}

    /** Placement does not answer, or refuses, or somebody writes at the same moment. To be tried again. */
    record NotNow(String why) implements PutBack {}
}
