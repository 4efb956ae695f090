package io.berth.deploy.load.situation;

import java.util.Map;
import java.util.UUID;

/**
 * An instance that the scheduler has placed on a host.
 *
 * @param amounts allocated units by resource class
 * @param endHour the simulated hour at which the instance is deleted; infinite if it stays
 */
record Machine(UUID instance, UUID host, Map<String, Integer> amounts, double endHour) {}
