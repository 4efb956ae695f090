/** Profilers for the benchmarks of this module. */
package io.berth.benchmarks.jmh;
