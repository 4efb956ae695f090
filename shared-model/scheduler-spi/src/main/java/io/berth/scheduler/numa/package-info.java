/**
 * The NUMA topologies of hosts and instances as values: cells, CPUs, pages, policies.
 *
 * <p>Entry points in other packages, all pure: {@link io.berth.scheduler.numa.constraint.NumaConstraints} (flavor and
 * image to topology), and in the scheduler {@code numa.fitting.FittingSession} (topology onto host) and {@code
 * numa.fitting.NumaCharge} (host after placing). Must not depend on requests, host states, filters or I/O.
 * <br>Source: nova {@code virt/hardware.py}, {@code objects/numa.py}, {@code objects/instance_numa.py}.
 */
package io.berth.scheduler.numa;
