package io.berth.placement.trait;

/** The result of deleting a trait. */
enum TraitDeletion {
    DELETED,
    GONE,
    /** A provider has it. */
    IN_USE
}
