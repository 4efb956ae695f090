package io.berth.scheduler.record;

import io.berth.scheduler.decision.BenchmarkInputs;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.Fleets;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.Requests;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestNames;
import io.berth.scheduler.trace.DecisionTrace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the work of the scheduler for the record of a decision on 1,000 hosts, in three parts: rendering the body of
 * the record, hashing the names of the hosts that placement offered, and building the INSERT of a batch of {@value
 * #BATCH_RECORDS} records. The time of the INSERT is divided by the number of records. Nothing is sent to PostgreSQL.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RecordBenchmark {
    private static final int HOST_COUNT = 1_000;
    private static final int BATCH_RECORDS = 90;

    private List<HostState> hosts;
    private DecisionTrace trace;
    private DecisionOutcome outcome;
    private List<DecisionRow> rows;

    @Setup
    public void build() {
        hosts = Fleets.flat(HOST_COUNT);
        Decision decision =
                Decision.decide(Requests.plain(1), hosts, true, BenchmarkInputs.inputs(SchedulingInputs.Detail.COUNTS));
        UUID instance = UUID.randomUUID();
        trace = DecisionTrace.of(new DecisionTrace.Request(
                DecisionTrace.Kind.SELECT, "{\"request_spec\": {}}".repeat(20).getBytes(StandardCharsets.UTF_8),
                "req-1", List.of(instance), "project", "flavor", RequestNames.NONE));
        trace.noteAttempt(new DecisionTrace.Attempt(instance, "host-1", "host-1", 0, "claimed", ""));
        outcome = new DecisionOutcome(
                DecisionOutcome.Result.SELECTED, null, null, null, decision, null, null,
                List.of(List.of(new HostName("host-1", "host-1"))));
        OfferedHosts offeredHosts = OfferedHosts.of(hosts, null);
        rows = IntStream.range(0, BATCH_RECORDS)
                .mapToObj(_ -> new DecisionRow(
                        UUID.randomUUID(), "select", "selected", "project", "flavor", null, List.of(instance),
                        List.of("host-1"), trace.request().body(), RecordBody.of(trace, outcome), offeredHosts))
                .toList();
    }

    @Benchmark
    public byte[] body() {
        return RecordBody.of(trace, outcome);
    }

    @Benchmark
    public Object offered() {
        return OfferedHosts.of(hosts, null);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH_RECORDS)
    public Object batch() {
        return RecordBatch.of(rows);
    }
}
