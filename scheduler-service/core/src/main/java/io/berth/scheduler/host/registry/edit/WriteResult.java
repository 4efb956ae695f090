package io.berth.scheduler.host.registry.edit;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import jakarta.annotation.Nullable;
import java.util.List;

/** What a write to the registry can come to. */
sealed interface WriteResult {
    /** @param before the body that was replaced, without the members of a group; null where the record is new */
    record Written(StoredRecord record, @Nullable String before) implements WriteResult {
        boolean created() {
            return before == null;
        }
    }

    /** The caller's version is not the stored one, or somebody wrote at the same moment. */
    record VersionConflict() implements WriteResult {}

    /** The stored record is not one that {@link IfMatch} admits. */
    record NotMatched() implements WriteResult {}

    /** Another record has the name (or host and node) already. */
    record Taken(String constraint) implements WriteResult {
        ApiFault fault() {
            return new ApiFault(ErrorCode.CONFLICT, "another record has this key already (" + constraint + ")");
        }

        /** @param others the records that have it */
        ApiFault fault(List<StoredRecord> others) {
            return others.isEmpty()
                    ? fault()
                    : new ApiFault(
                            ErrorCode.CONFLICT,
                            "record " + others.getFirst().uuid() + " has this key already (" + constraint + ")");
        }
    }
}
