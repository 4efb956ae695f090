package io.berth.placement.trait;

/** What came of deleting a trait. */
enum TraitDeletion {
    DELETED,
    GONE,
    /** A provider has it. */
    IN_USE
}
