package io.berth.scheduler.claim;

import java.util.Map;
import java.util.UUID;

/**
 * A claim to be taken back later.
 *
 * @param claim provider uuid to resource class to amount
 * @param ageSeconds since it was recorded
 */
record PendingRelease(
        UUID consumer, Map<String, Map<String, Long>> claim, String requestId, int attempts, double ageSeconds) {}
