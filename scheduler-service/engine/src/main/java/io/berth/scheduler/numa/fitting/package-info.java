/**
 * Does an instance's NUMA topology fit onto a host, and what is left of the host once it does? Start with
 * {@link io.berth.scheduler.numa.fitting.FittingSession}.
 *
 * <p>Does not depend on PCI: the fitting queries devices through {@link io.berth.scheduler.numa.CellDevices}.
 */
package io.berth.scheduler.numa.fitting;
