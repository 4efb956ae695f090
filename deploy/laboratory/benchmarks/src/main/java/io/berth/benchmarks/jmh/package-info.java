/** Measurement helpers of the benchmarks that use all cores. */
package io.berth.benchmarks.jmh;
