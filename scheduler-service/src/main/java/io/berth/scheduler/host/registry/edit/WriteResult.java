package io.berth.scheduler.host.registry.edit;

/** What a write to the registry can come to. */
sealed interface WriteResult {
    record Written(StoredRecord record, boolean created) implements WriteResult {}

    /** The caller's version is not the stored one, or somebody wrote at the same moment. */
    record VersionConflict() implements WriteResult {}

    /** The stored record is not one that {@link IfMatch} admits. */
    record NotMatched() implements WriteResult {}

    /** Another record has the name (or host and node) already. */
    record Taken(String constraint) implements WriteResult {}
}
