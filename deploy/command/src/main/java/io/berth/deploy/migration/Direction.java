package io.berth.deploy.migration;

/** Which of the two services is Berth. */
enum Direction {
    /** The target: the source is another Placement. */
    IMPORT("imported"),
    /** The source: the target is another Placement. */
    EXPORT("exported");

    private final String done;

    Direction(String done) {
        this.done = done;
    }

    /** Returns the participle for messages. */
    String done() {
        return done;
    }
}
