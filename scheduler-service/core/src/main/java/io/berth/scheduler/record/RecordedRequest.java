package io.berth.scheduler.record;

import java.util.UUID;

/**
 * What an instance was placed with.
 *
 * @param body as the client sent it: a selection's, or a move's
 */
public record RecordedRequest(UUID instance, UUID decision, byte[] body) {}
