package io.berth.scheduler.host.registry.edit;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import jakarta.annotation.Nullable;
import java.util.List;

/** The result of a write to the registry. */
sealed interface WriteResult {
    /**
     * The record is stored.
     *
     * @param before the replaced body; that of a server group lacks the list of its member instances. Null if the
     *     record is new
     */
    record Written(StoredRecord record, @Nullable String before) implements WriteResult {
        boolean created() {
            return before == null;
        }
    }

    /**
     * The client stated a version, and the record has another one or does not exist; or a concurrent request wrote the
     * record.
     */
    record VersionConflict() implements WriteResult {}

    /** The stored record does not satisfy {@link IfMatch}. */
    record NotMatched() implements WriteResult {}

    /**
     * Another record already has the same uuid, name, host, or host and node.
     *
     * @param constraint name of the violated unique constraint
     */
    record Taken(String constraint) implements WriteResult {
        ApiFault fault() {
            return new ApiFault(ErrorCode.CONFLICT, "another record has this key already (" + constraint + ")");
        }

        /** @param others the records with the same unique values, as far as known; may be empty */
        ApiFault fault(List<StoredRecord> others) {
            return others.isEmpty()
                    ? fault()
                    : new ApiFault(
                            ErrorCode.CONFLICT,
                            "record " + others.getFirst().uuid() + " has this key already (" + constraint + ")");
        }
    }
}
