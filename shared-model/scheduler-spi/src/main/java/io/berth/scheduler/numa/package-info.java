/**
 * The NUMA topologies of hosts and instances as values: cells, CPUs, pages, policies; and the parsers of CPU lists and
 * page sizes.
 *
 * <p>Three classes elsewhere, all without side effects, compute with these values. {@link
 * io.berth.scheduler.numa.constraint.NumaConstraints} derives the requested topology from flavor and image. In the
 * scheduler, {@code numa.fitting.FittingSession} fits a requested topology to a host, and {@code
 * numa.fitting.NumaCharge} adds a fitted topology to the host's use. The package must not depend on requests, host
 * states, filters or I/O.
 * <br>Source: nova {@code virt/hardware.py}, {@code objects/numa.py}, {@code objects/instance_numa.py}.
 */
package io.berth.scheduler.numa;
