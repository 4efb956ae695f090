package io.berth.scheduler.host.registry.edit;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import jakarta.annotation.Nullable;
import java.util.List;

/** The result of a write to the registry. */
sealed interface WriteResult {
    /** @param before the replaced body, without the members of a group; null if the record is new */
    record Written(StoredRecord record, @Nullable String before) implements WriteResult {
        boolean created() {
            return before == null;
        }
    }

    /** The client's version is not the stored one, or another client wrote at the same time. */
    record VersionConflict() implements WriteResult {}

    /** The stored record does not match {@link IfMatch}. */
    record NotMatched() implements WriteResult {}

    /** Another record already has the name (or host and node). */
    record Taken(String constraint) implements WriteResult {
        ApiFault fault() {
            return new ApiFault(ErrorCode.CONFLICT, "another record has this key already (" + constraint + ")");
        }

        /** @param others the records that have the key */
        ApiFault fault(List<StoredRecord> others) {
            return others.isEmpty()
                    ? fault()
                    : new ApiFault(
                            ErrorCode.CONFLICT,
                            "record " + others.getFirst().uuid() + " has this key already (" + constraint + ")");
        }
    }
}
