/**
 * Fits the NUMA topology of an instance to a host ({@link io.berth.scheduler.numa.fitting.FittingSession}), and adds a
 * fitted topology to the host's usage ({@link io.berth.scheduler.numa.fitting.NumaCharge}). Used by NUMATopologyFilter
 * and between the rounds of a decision. Does no I/O; only {@link io.berth.scheduler.numa.fitting.FittingSession} has
 * state, for one host and request.
 *
 * <p>The package does not depend on PCI; the fitting gets the devices through the interface {@link
 * io.berth.scheduler.numa.CellDevices}.
 */
package io.berth.scheduler.numa.fitting;
