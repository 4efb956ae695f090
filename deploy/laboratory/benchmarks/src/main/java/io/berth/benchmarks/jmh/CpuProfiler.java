package io.berth.benchmarks.jmh;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A JMH profiler that reports the processor time of the whole JVM per operation, in microseconds. The time includes
 * garbage collection and compilation, but not waiting for a core, and so varies less than wall time on a machine that
 * other processes use. Usage: {@code -prof io.berth.benchmarks.jmh.CpuProfiler}
 */
public final class CpuProfiler implements InternalProfiler {
    private final OperatingSystemMXBean system =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long cpuNanosBefore;

    @Override
    public String getDescription() {
        return "CPU of the process per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        cpuNanosBefore = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double cpuMicros = (system.getProcessCpuTime() - cpuNanosBefore) / 1_000.0;
        long operations = Math.max(1, result.getMetadata().getAllOps());
        return List.of(new ScalarResult("cpu", cpuMicros / operations, "us/op", AggregationPolicy.AVG));
    }
}
