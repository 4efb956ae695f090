package io.berth.scheduler.selection;

import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.Warnings;
import io.berth.scheduler.extension.EnabledClasses;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/** Counts decisions and records their traces. */
@Singleton
class DecisionLog {
    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;
    private final DecisionMetrics metrics;
    private final DecisionRecords records;

    DecisionLog(
            ConfiguredOptions configured, EnabledClasses enabled, DecisionMetrics metrics, DecisionRecords records) {
        this.configured = configured;
        this.enabled = enabled;
        this.metrics = metrics;
        this.records = records;
    }

    /** Runs a decision. A repeated response is counted but not recorded, as it is no new decision. */
    Uni<Outcome> ended(RequestSpec spec, DecisionTrace trace, Supplier<Uni<Outcome>> deciding) {
        trace.warns(Warnings.of(spec, enabled.filters(), configured.options()));
        return deciding.get()
                .invoke(outcome -> {
                    metrics.ended(trace.phases(), outcome);
                    switch (outcome) {
                        case Outcome.Selected selected -> records.add(trace, Endings.of(selected));
                        case Outcome.Failure failure -> records.add(trace, Endings.of(failure));
                        case Outcome.Repeated _ -> {}
                    }
                })
                .onFailure().invoke(failure -> {
                    metrics.failed(failure);
                    records.add(trace, Endings.of(failure));
                });
    }

    /** Records a request that failed before its decision began. */
    void failed(DecisionTrace trace, Throwable failure) {
        trace.phases().end();
        records.add(trace, Endings.of(failure));
    }
}
