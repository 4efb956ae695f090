package io.berth.placement.candidate.scenario;

import io.berth.placement.candidate.response.Clouds;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.fleet.FleetView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the query {@code fill} of {@code POST /berth/v1/what_if}, which counts how many times each of 100 flavors
 * fits on each of 50,000 hosts, from the request body to the bytes of the response.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class FillBenchmark {
    private static final int HOSTS = 50_000;
    private static final int FLAVORS = 100;

    /** The shape of the hosts: one provider, or a root with two children that have the VCPUs. */
    @Param({"hosts", "hosts of two nodes"})
    public String situation;

    private FleetView view;
    private byte[] body;

    @Setup
    public void build() {
        view = situation.equals("hosts")
                ? Clouds.zones(HOSTS, i -> i % 64)
                : Clouds.withTwoChildren(HOSTS, i -> i % 32);
        var queries = new StringJoiner(",", "{\"timeout_s\":60,\"asks\":[", "]}");
        for (int i = 0; i < FLAVORS; i++) {
            int vcpus = 1 + i % 10;
            queries.add("{\"fill\":{\"query\":\"resources=VCPU:%d,MEMORY_MB:%d,DISK_GB:%d&required=%s\"}}"
                    .formatted(vcpus, 1_024 * (1 + i / 10), 10 * vcpus, Clouds.EVERY_HOST));
        }
        body = queries.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Benchmark
    public byte[] fill() {
        return new WhatIf(
                view, WhatIfBody.parse(body), CandidateOptions.DEFAULT, null, 1L << 30, () -> false, Instant.EPOCH)
                .answer();
    }
}
