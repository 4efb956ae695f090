package io.berth.scheduler.decision;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.scheduler.decision.explanation.BriefDecisionJson;
import io.berth.scheduler.host.HostState;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the explanation that is kept of every decision adds to a decision on 1,000 hosts without memory. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ExplanationBenchmark {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int HOST_COUNT = 1_000;

    private List<HostState> hosts;
    private Decision decided;

    @Setup
    public void build() {
        hosts = Fleets.flat(HOST_COUNT);
        decided = decide();
    }

    @Benchmark
    public Decision decide() {
        return Decision.decide(Requests.plain(1), hosts, true, Classes.inputs(SchedulingInputs.Detail.COUNTS));
    }

    @Benchmark
    public String explain() throws IOException {
        StringWriter text = new StringWriter(1024);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("decision_id", "00000000-0000-0000-0000-000000000000");
            new BriefDecisionJson(json).write(decided);
            json.writeEndObject();
        }
        return text.toString();
    }
}
