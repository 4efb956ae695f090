package io.berth.scheduler.answer;

import io.berth.scheduler.text.WireNamed;

/** Summarizes an answer for scripts, in the header {@value #HEADER}. */
public enum Outcome implements WireNamed {
    YES, NO,
    /** The time was over before the answer was complete. */
    INCOMPLETE;

    public static final String HEADER = "berth-answer";

    public static Outcome of(boolean isComplete, boolean isYes) {
        return !isComplete ? INCOMPLETE : isYes ? YES : NO;
    }
}
