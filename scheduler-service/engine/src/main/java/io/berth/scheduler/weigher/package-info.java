/**
 * Berth's own weighers, each of which computes a number for every host that passed the filters, and the ranking. Each
 * weigher is a CDI bean; its name is the simple name of its class. {@link io.berth.scheduler.weigher.EnabledWeighers}
 * looks up the configured weighers; {@link io.berth.scheduler.weigher.Ranking} normalizes their values, multiplies and
 * adds them, and sorts the hosts. The package {@code decision} uses the ranking.
 *
 * <p>Weighers are pure: they receive immutable values and return numbers. The package must not depend on filters, the
 * decision or I/O.
 */
package io.berth.scheduler.weigher;
