package io.berth.placement.trait;

/** The result of a deletion of a trait. */
enum TraitDeletion {
    /** The deletion was committed. */
    DELETED,
    /** The trait does not exist. */
    GONE,
    /** A provider has the trait, which was not deleted. */
    IN_USE
}
