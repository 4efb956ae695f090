package io.berth.scheduler.record;

import java.util.UUID;

/**
 * The request by which an instance was placed.
 *
 * @param body as the client sent it: a selection's, or a move's
 */
public record RecordedRequest(UUID instance, UUID decision, byte[] body) {}
