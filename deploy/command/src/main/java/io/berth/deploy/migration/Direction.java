package io.berth.deploy.migration;

/** The direction of a migration between Berth and another Placement. */
enum Direction {
    /** From another Placement, the source, into Berth, the target. */
    IMPORT("imported"),
    /** From Berth, the source, into another Placement, the target. */
    EXPORT("exported");

    private final String participle;

    Direction(String participle) {
        this.participle = participle;
    }

    /** Returns "imported" or "exported", for messages. */
    String participle() {
        return participle;
    }
}
