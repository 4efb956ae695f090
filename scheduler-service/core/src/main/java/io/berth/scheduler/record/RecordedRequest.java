package io.berth.scheduler.record;

import java.util.UUID;

/**
 * The request by which an instance was placed or moved, perhaps by nova-scheduler with this service as its shadow.
 *
 * @param decision id of the decision record of this request
 * @param body JSON as the client sent it: the body of a select request or of a move
 */
public record RecordedRequest(UUID instance, UUID decision, byte[] body) {}
