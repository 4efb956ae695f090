package io.berth.deploy.load.situation;

import java.util.Map;
import java.util.UUID;

/**
 * An instance that runs.
 *
 * @param endHour of the model
 */
record Machine(UUID instance, UUID host, Map<String, Integer> amounts, double endHour) {}
