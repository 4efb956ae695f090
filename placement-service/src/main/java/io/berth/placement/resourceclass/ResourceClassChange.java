package io.berth.placement.resourceclass;

/** The result of writing a resource class. */
enum ResourceClassChange {
    DONE,
    GONE,
    /** Another class has that name. */
    NAME_TAKEN,
    /** A provider has an inventory of it. */
    IN_USE
}
