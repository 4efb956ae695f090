/** A JMH profiler for the benchmarks of this module: {@link io.berth.benchmarks.jmh.CpuProfiler}. */
package io.berth.benchmarks.jmh;
