/**
 * Selects a host for each instance of a request, and keeps the reasons. {@link io.berth.scheduler.decision.Scheduling}
 * is the pure pipeline: preselection, filters, weighers and order of claims, in one round for each instance. Between
 * rounds, the instance's resources are subtracted from the selected host. {@link io.berth.scheduler.decision.Decision}
 * is the outcome with the data that explains it.
 *
 * <p>The pipeline does no I/O, and has no clock and no source of randomness except those that are passed to it. The
 * claim loop of the package {@code claim} claims a round's hosts in order, and passes the claimed host back to the
 * pipeline. Analyses use the same pipeline without claims.
 */
package io.berth.scheduler.decision;
