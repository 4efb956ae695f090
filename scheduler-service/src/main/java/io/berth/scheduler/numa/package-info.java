/**
 * Does an instance's NUMA topology fit onto a host, and what is left of the host once it does? Also: which
 * topology do a flavor and an image ask for?
 *
 * <p>Three entry points, all pure: {@link io.berth.scheduler.numa.NumaConstraints} (flavor and image to topology),
 * {@link io.berth.scheduler.numa.FittingSession} (topology onto host) and
 * {@link io.berth.scheduler.numa.NumaCharge} (host after placing or freeing). Flavor and image policies alone, for
 * those who build the query to placement, are {@link io.berth.scheduler.numa.CpuPolicies}.
 *
 * <p>Knows nothing of PCI: what the fitting wants to know about devices it asks through
 * {@link io.berth.scheduler.numa.CellDevices}. Must not depend on requests, host states, filters or I/O.
 * <br>Source: nova {@code virt/hardware.py}, {@code objects/numa.py}, {@code objects/instance_numa.py}.
 */
package io.berth.scheduler.numa;
