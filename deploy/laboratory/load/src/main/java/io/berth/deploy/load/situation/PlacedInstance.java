package io.berth.deploy.load.situation;

import java.util.Map;
import java.util.UUID;

/**
 * An instance that is registered with the scheduler and holds allocations in placement, on a host of a {@link Region}.
 *
 * @param host the uuid of the host's compute node and root provider
 * @param amounts allocated units by resource class
 * @param endHour the simulated hour at which the instance is deleted; infinite if it stays until the region is removed
 */
record PlacedInstance(UUID instance, UUID host, Map<String, Integer> amounts, double endHour) {}
