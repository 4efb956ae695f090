/**
 * NUMA topologies, CPUs, pages and policies as values, of a host and as an instance requests them.
 *
 * <p>Entry points below, all pure: {@link io.berth.scheduler.numa.constraint.NumaConstraints} (flavor and image to
 * topology), and in the scheduler {@code numa.fitting.FittingSession} (topology onto host) and
 * {@code numa.fitting.NumaCharge} (host after placing). Must not depend on requests, host states, filters or I/O.
 * <br>Source: nova {@code virt/hardware.py}, {@code objects/numa.py}, {@code objects/instance_numa.py}.
 */
package io.berth.scheduler.numa;
