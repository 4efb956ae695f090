/**
 * Does an instance's NUMA topology fit onto a host, and what is left of the host once it does? Start with
 * {@link io.berth.scheduler.numa.fitting.FittingSession}.
 *
 * <p>Knows nothing of PCI: what the fitting wants to know about devices it asks through
 * {@link io.berth.scheduler.numa.CellDevices}.
 */
package io.berth.scheduler.numa.fitting;
