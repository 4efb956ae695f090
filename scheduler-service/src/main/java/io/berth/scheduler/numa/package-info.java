/**
 * What of NUMA a host has and an instance asks for, as values: topologies, CPUs, pages, policies.
 *
 * <p>Three entry points below, all pure: {@link io.berth.scheduler.numa.constraint.NumaConstraints} (flavor and image to
 * topology), {@link io.berth.scheduler.numa.fitting.FittingSession} (topology onto host) and
 * {@link io.berth.scheduler.numa.fitting.NumaCharge} (host after placing or freeing). Must not depend on requests, host
 * states, filters or I/O.
 * <br>Source: nova {@code virt/hardware.py}, {@code objects/numa.py}, {@code objects/instance_numa.py}.
 */
package io.berth.scheduler.numa;
