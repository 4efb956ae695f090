/**
 * Benchmarks of the in-memory decision. They share the package because the measured classes are package-private.
 */
package io.berth.scheduler.decision;
