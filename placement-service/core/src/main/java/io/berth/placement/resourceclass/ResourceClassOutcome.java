package io.berth.placement.resourceclass;

/** The result of a write of a resource class. Nothing was written unless it is {@link #DONE}. */
enum ResourceClassOutcome {
    /** The change was committed. */
    DONE,
    /** The resource class does not exist. */
    GONE,
    /** Another resource class has the new name. */
    NAME_TAKEN,
    /** A provider has an inventory of the resource class. */
    IN_USE
}
