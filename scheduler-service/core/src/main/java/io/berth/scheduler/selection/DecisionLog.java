package io.berth.scheduler.selection;

import io.berth.model.Maps;
import io.berth.observability.Latency;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.Warnings;
import io.berth.scheduler.extension.EnabledClasses;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.timing.Phases;
import io.berth.scheduler.trace.DecisionTrace;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Counts the outcomes of decisions, the durations of their phases and the hosts that each filter removes, and records
 * decision traces. The number of label values is bounded, because they are phases, causes, error codes and the names of
 * enabled filters.
 */
@Singleton
class DecisionLog {
    private static final String SELECTED = "selected";
    private static final String REPEATED = "repeated";
    private static final String FAULT = "fault";

    /** Why a decision found no valid host: the label {@code cause}. */
    private enum Cause {
        /**
         * No round was evaluated, or its evaluation was not kept: a prefilter or placement refused the query, a named
         * host does not exist, {@link ChanceDriver} found no host, or the query for all candidates failed after the
         * limited candidates had no valid host.
         */
        QUERY,
        /** Placement returned no candidates. */
        CANDIDATES,
        /** The request's restrictions on hosts, or the filters, removed every host in the last round. */
        FILTER,
        /** Hosts passed the filters, but none of them could be claimed. */
        CLAIM
    }

    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;
    private final DecisionRecords records;
    private final MeterRegistry meters;
    private final Map<Phases.Phase, Timer> phases = new EnumMap<>(Phases.Phase.class);
    private final Map<String, Counter> outcomes = new ConcurrentHashMap<>();
    private final Map<Cause, Counter> causes = new EnumMap<>(Cause.class);
    private final Map<String, Counter> removedByFilter = new ConcurrentHashMap<>();
    private final Map<String, Counter> emptiedByFilter = new ConcurrentHashMap<>();

    DecisionLog(
            ConfiguredOptions configured, EnabledClasses enabled, DecisionRecords records, MeterRegistry meters) {
        this.configured = configured;
        this.enabled = enabled;
        this.records = records;
        this.meters = meters;
        for (Phases.Phase phase : Phases.Phase.values()) {
            phases.put(phase, Latency.timer(
                    meters, "berth.decision.phase",
                    "Duration of decisions by phase; a phase that a decision did not reach is not recorded; total:"
                            + " the whole decision",
                    "phase", phase.label));
        }
        for (Cause cause : Cause.values()) {
            causes.put(cause, counter(
                    "berth.decision.no.valid.host", "Decisions without a host", "cause",
                    cause.name().toLowerCase(Locale.ROOT)));
        }
        outcomeCounter(SELECTED);
        outcomeCounter(REPEATED);
        outcomeCounter(FAULT);
        for (ErrorCode code : List.of(
                ErrorCode.NO_VALID_HOST, ErrorCode.REQUEST_INVALID, ErrorCode.PLACEMENT_UNAVAILABLE,
                ErrorCode.DATABASE_UNAVAILABLE, ErrorCode.OVERLOADED, ErrorCode.ALLOCATION_UPDATE_FAILED,
                ErrorCode.ALREADY_PLACED, ErrorCode.CONCURRENT_UPDATE)) {
            outcomeCounter(label(code));
        }
        enabled.filters().inOrder().forEach(filter -> {
            removedCounter(filter.name());
            emptiedCounter(filter.name());
        });
    }

    private static String label(ErrorCode code) {
        return code.name().toLowerCase(Locale.ROOT);
    }

    private Counter counter(String name, String description, String tag, String value) {
        return Counter.builder(name).description(description).tag(tag, value).register(meters);
    }

    private Counter outcomeCounter(String name) {
        return outcomes.computeIfAbsent(
                name, label -> counter("berth.decisions", "Decisions by outcome", "outcome", label));
    }

    private Counter removedCounter(String filter) {
        return removedByFilter.computeIfAbsent(
                filter, label -> counter("berth.filter.removed", "Hosts that this filter removed", "filter", label));
    }

    private Counter emptiedCounter(String filter) {
        return emptiedByFilter.computeIfAbsent(filter, label -> counter(
                "berth.filter.emptied", "Decisions in which this filter removed the last host", "filter", label));
    }

    /**
     * Runs a decision, and counts and records it at its end. An outcome that is a stored response is only counted,
     * because there was no new decision.
     */
    Uni<SelectionOutcome> runRecorded(RequestSpec spec, DecisionTrace trace, Supplier<Uni<SelectionOutcome>> deciding) {
        trace.setWarnings(Warnings.of(spec, enabled.filters(), configured.options()));
        return deciding.get()
                .invoke(outcome -> {
                    count(trace.phases(), outcome);
                    switch (outcome) {
                        case SelectionOutcome.Selected selected -> records.add(trace, DecisionOutcomes.of(selected));
                        case SelectionOutcome.Failure failure -> records.add(trace, DecisionOutcomes.of(failure));
                        case SelectionOutcome.Repeated _ -> {}
                    }
                })
                .onFailure().invoke(failure -> {
                    count(failure);
                    records.add(trace, DecisionOutcomes.of(failure));
                });
    }

    /** Records a request that failed before its decision began. */
    void recordFailed(DecisionTrace trace, Throwable failure) {
        trace.phases().end();
        records.add(trace, DecisionOutcomes.of(failure));
    }

    private void count(Phases durations, SelectionOutcome outcome) {
        durations.end();
        phases.forEach((phase, timer) -> {
            if (durations.nanos(phase) > 0) {
                timer.record(durations.nanos(phase), TimeUnit.NANOSECONDS);
            }
        });
        countHosts(outcome.decision());
        switch (outcome) {
            case SelectionOutcome.Selected _ -> outcomeCounter(SELECTED).increment();
            case SelectionOutcome.Repeated _ -> outcomeCounter(REPEATED).increment();
            case SelectionOutcome.Refused refused -> outcomeCounter(label(refused.fault().error().code())).increment();
            case SelectionOutcome.NoCandidates _ -> countNoValidHost(Cause.CANDIDATES);
            case SelectionOutcome.Failed failed when failed.code() == ErrorCode.NO_VALID_HOST ->
                countNoValidHost(cause(failed));
            case SelectionOutcome.Failed failed -> outcomeCounter(label(failed.code())).increment();
        }
    }

    private void count(Throwable failure) {
        ErrorCode code = ApiFault.errorOf(failure).code();
        outcomeCounter(code == ErrorCode.INTERNAL_ERROR ? FAULT : label(code)).increment();
    }

    private void countNoValidHost(Cause cause) {
        outcomeCounter(label(ErrorCode.NO_VALID_HOST)).increment();
        Maps.require(causes, cause).increment();
    }

    private void countHosts(@Nullable Decision decision) {
        if (decision == null) {
            return;
        }
        for (Decision.Evaluated round : decision.rounds()) {
            for (FilterStep step : round.round().filters()) {
                int removedCount = step.hostCountIn() - step.hostCountOut();
                if (removedCount > 0) {
                    removedCounter(step.name()).increment(removedCount);
                    if (step.hostCountOut() == 0) {
                        emptiedCounter(step.name()).increment();
                    }
                }
            }
        }
    }

    private static Cause cause(SelectionOutcome.Failed failed) {
        Decision decision = failed.decision();
        if (decision == null || decision.rounds().isEmpty()) {
            return Cause.QUERY;
        }
        return decision.rounds().getLast().round().passed() == 0 ? Cause.FILTER : Cause.CLAIM;
    }
}
