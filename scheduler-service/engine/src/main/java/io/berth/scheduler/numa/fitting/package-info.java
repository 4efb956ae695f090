/**
 * Fits an instance's NUMA topology onto a host, and computes what is left of the host. Start with
 * {@link io.berth.scheduler.numa.fitting.FittingSession}.
 *
 * <p>Does not depend on PCI: the fitting queries devices through {@link io.berth.scheduler.numa.CellDevices}.
 */
package io.berth.scheduler.numa.fitting;
