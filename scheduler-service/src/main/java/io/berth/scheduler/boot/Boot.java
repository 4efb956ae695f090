package io.berth.scheduler.boot;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * One request that places instances, as it is recorded.
 *
 * @param resources all that the claim of one instance may come to: resource class to total
 * @param answer what the caller was told; while it is open, what the first claim would give, or null
 * @param isOpen else it is placed. One that is left alone too long is finished or taken back
 * @param token of whoever works on it; null when nobody does
 * @param isWorkedOn whether the lease is not over
 * @param inDoubt whether a claim or release without an answer may still commit
 * @param isReleasing whether what may still commit is a release: nothing is claimed until then
 * @param attempts to take it back that came to nothing
 */
record Boot(
        String key,
        String shape,
        List<UUID> instances,
        Set<Map<String, Long>> resources,
        @Nullable String answer,
        String requestId,
        boolean isOpen,
        @Nullable UUID token,
        boolean isWorkedOn,
        boolean inDoubt,
        boolean isReleasing,
        int attempts) {
    /**
     * An instance that the boot has the word for.
     *
     * @param kept what it holds beside its claim
     * @param late all that a claim of an earlier boot may come to
     */
    record Owned(UUID instance, Map<String, Map<String, Long>> kept, Set<Map<String, Long>> late) {}
}
