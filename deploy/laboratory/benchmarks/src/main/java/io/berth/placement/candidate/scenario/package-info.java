/**
 * Benchmarks of {@code POST /berth/v1/what_if}, which evaluates queries on scenarios (fleets with changes that are not
 * made). They are in the package of the measured classes, which are package-private.
 */
package io.berth.placement.candidate.scenario;
