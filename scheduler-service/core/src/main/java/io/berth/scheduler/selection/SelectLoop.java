package io.berth.scheduler.selection;

import io.berth.database.SqlFault;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.heap.DecisionHeap;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.requestrecord.RecordedClaims;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.selection.Retries.Cause;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.function.Function;

/**
 * The steps of a request that selects hosts: a select request, its dry run, the check of a rebuild, and the search for
 * the target of a move. {@link Run#attempt} has the steps in order, and {@link Retries} limits the attempts.
 * <br>Source: nova {@code scheduler/manager.py} (select_destinations).
 */
@Singleton
class SelectLoop {
    private final RequestRecords records;
    private final EarlierRequests earlierRequests;
    private final Derivation derivation;
    private final Candidates candidates;
    private final Decisions decisions;
    private final DecisionHeap heap;
    private final DecisionLog log;

    SelectLoop(
            RequestRecords records, EarlierRequests earlierRequests, Derivation derivation, Candidates candidates,
            Decisions decisions, DecisionHeap heap, DecisionLog log) {
        this.records = records;
        this.earlierRequests = earlierRequests;
        this.derivation = derivation;
        this.candidates = candidates;
        this.decisions = decisions;
        this.heap = heap;
        this.log = log;
    }

    /**
     * Selects hosts and claims them, or only decides.
     *
     * @param requestKey identity of the request, under which its claims are recorded; null for claims without a request
     *     record
     * @param claiming how a request without a request record claims; null to decide only. Ignored if {@code requestKey}
     *     is given
     */
    Uni<SelectionOutcome> select(
            SelectionRequest request, @Nullable IdempotencyKey requestKey, @Nullable ClaimStrategy claiming,
            SchedulingInputs.Detail detail, DecisionTrace trace) {
        return log.runRecorded(request.spec(), trace, new Run(request, requestKey, claiming, detail, trace)::run);
    }

    /** The result of one step of a request: the value for the next step, or the end of the attempt. */
    sealed interface Step<T> {
        record Next<T>(T value) implements Step<T> {}

        /** @param cause the reason for another attempt; null if the outcome is final as far as this step knows */
        record End<T>(SelectionOutcome outcome, @Nullable Retries.Cause cause) implements Step<T> {
            End(SelectionOutcome outcome) {
                this(outcome, null);
            }
        }

        /** Returns a function that runs the next step on a value, and passes an end on. */
        static <T, U> Function<Step<T>, Uni<? extends Step<U>>> then(Function<T, Uni<Step<U>>> next) {
            return step -> switch (step) {
                case Next<T>(T value) -> next.apply(value);
                case End<T>(SelectionOutcome outcome, Retries.Cause cause) ->
                    Uni.createFrom().item(new End<U>(outcome, cause));
            };
        }

        /** Returns the end of the attempt, given the result of its last step. */
        static End<SelectionOutcome> endOf(Step<SelectionOutcome> last) {
            return switch (last) {
                case Next<SelectionOutcome>(SelectionOutcome outcome) -> new End<>(outcome);
                case End<SelectionOutcome> end -> end;
            };
        }

        static <T> Uni<Step<T>> next(T value) {
            return Uni.createFrom().item(new Next<>(value));
        }

        static <T> Uni<Step<T>> end(SelectionOutcome outcome) {
            return Uni.createFrom().item(new End<>(outcome));
        }
    }

    /** One request. Its steps run strictly one after the other. */
    private final class Run {
        private final SelectionRequest request;
        private final @Nullable IdempotencyKey requestKey;
        private final SchedulingInputs.Detail detail;
        private final DecisionTrace trace;
        private final String requestId;
        private final DecisionHeap.Share share;
        private final Retries retries = new Retries();
        /** How the hosts are claimed; null to decide only. */
        private @Nullable ClaimStrategy claiming;
        /** The completed request of this attempt. Set by {@link #search}, before the steps that read it. */
        @SuppressWarnings("NullAway.Init")
        private Derivation.Complete complete;
        /** The hosts that placement offers in this attempt; null if the attempt ended before the search. */
        private @Nullable HostSearch.Hosts found;
        /** The claims of this attempt; null if the attempt ended before its hosts were ranked, or claims nothing. */
        private @Nullable Rounds rounds;
        /** The failure on limited candidates, without its hosts; null as long as limited candidates are queried. */
        private @Nullable SelectionOutcome.Failed limitedFailure;

        Run(
                SelectionRequest request, @Nullable IdempotencyKey requestKey, @Nullable ClaimStrategy claiming,
                SchedulingInputs.Detail detail, DecisionTrace trace) {
            this.request = request;
            this.requestKey = requestKey;
            this.claiming = claiming;
            this.detail = detail;
            this.trace = trace;
            this.requestId = trace.request().requestId();
            this.share = heap.share(request.spec().instanceCount());
        }

        Uni<SelectionOutcome> run() {
            return attempt().onTermination().invoke(() -> {
                share.end();
                candidates.endTurn(requestId);
            });
        }

        /**
         * Makes one attempt. Each step runs only if the previous one did not end the attempt. {@link #end} always runs,
         * unless a step fails with an exception; then the claims are rolled back, and the request fails.
         */
        private Uni<SelectionOutcome> attempt() {
            found = null;
            rounds = null;
            return prepareClaims()
                    .chain(() -> derivation.derive(request, trace))
                    .chain(Step.then(this::search))
                    .chain(Step.then(this::decide))
                    .chain(Step.then(Rounds::open))
                    .chain(Step.then(Rounds::claim))
                    .chain(Step.then(Rounds::addAlternates))
                    .chain(Step.then(this::close))
                    // A statement that did not get its lock in time has written nothing. After any other failure, a
                    // claim may hold that the rounds do not know of.
                    .onFailure().call(failure -> rounds == null
                            ? Uni.createFrom().voidItem()
                            : rounds.rollBack(!SqlFault.LOCKED.isKindOf(failure)))
                    .chain(this::end);
        }

        private Uni<Step<SelectionOutcome>> close(SelectionOutcome.Selected selected) {
            return Objects.requireNonNull(rounds, "a selected host was claimed").close(selected);
        }

        /** Prepares the claims of a request with a record. {@link Rounds#open} writes the record. */
        private Uni<Void> prepareClaims() {
            return requestKey == null
                    ? Uni.createFrom().voidItem()
                    : records.claims(requestKey).invoke(claims -> claiming = claims).replaceWithVoid();
        }

        private Uni<Step<HostSearch.Hosts>> search(Derivation.Complete derived) {
            complete = derived;
            if (derived.spec().schedulerHints().asksForRebuildCheck()) {
                return candidates.findToCheck(derived, share, requestId);
            }
            HostSearch.Reading reading = claiming == null || retries.wasCounted(Cause.CLAIMS_OF_OTHERS)
                    ? HostSearch.Reading.AS_RECEIVED
                    : HostSearch.Reading.TO_CLAIM;
            return candidates.find(derived, reading, limitedFailure, share, trace)
                    .invoke(step -> found = step instanceof Step.Next(var hosts) ? hosts : null);
        }

        private Uni<Step<Rounds>> decide(HostSearch.Hosts hosts) {
            return decisions.decide(request, hosts, complete.registry(), claiming, detail, trace)
                    .invoke(step -> rounds = step instanceof Step.Next(var newRounds) ? newRounds : null);
        }

        /**
         * Ends the attempt. Begins another attempt if there is a cause that {@link Retries} allows; otherwise the
         * outcome is final, except that an earlier request may explain a failure of a request with a record.
         */
        private Uni<SelectionOutcome> end(Step<SelectionOutcome> last) {
            boolean hasSubtractedClaims = candidates.endTurn(requestId);
            Step.End<SelectionOutcome> end = Step.endOf(last);
            return (found == null || end.cause() != null
                    ? Uni.createFrom().item(end.outcome())
                    : candidates.explain(end.outcome(), found, complete.registry(), requestId)).chain(outcome -> {
                        Cause cause = end.cause() == null ? cause(outcome, hasSubtractedClaims) : end.cause();
                        if (cause != null && retries.allow(cause)) {
                            return cause == Cause.LIMITED_CANDIDATES
                                    ? attemptWithoutLimit((SelectionOutcome.Failed) outcome)
                                    : attempt();
                        }
                        return requestKey != null && outcome instanceof SelectionOutcome.Failure failure
                                ? recognize(requestKey, failure)
                                : Uni.createFrom().item(outcome);
                    });
        }

        /** Returns the cause for another attempt that follows from the whole attempt; null if there is none. */
        private @Nullable Cause cause(SelectionOutcome outcome, boolean hasSubtractedClaims) {
            if (!outcome.isFor(ErrorCode.NO_VALID_HOST)) {
                return null;
            }
            return limitedFailure == null && found != null && candidates.mayBeIncomplete(found)
                    ? Cause.LIMITED_CANDIDATES
                    : hasSubtractedClaims ? Cause.CLAIMS_OF_OTHERS : null;
        }

        /**
         * Begins another attempt on all candidates. Releases the request's heap first: as long as the request holds
         * heap, it would not wait for more, but exceed the limit of {@link DecisionHeap}.
         */
        private Uni<SelectionOutcome> attemptWithoutLimit(SelectionOutcome.Failed failed) {
            limitedFailure = failed.withoutHosts();
            share.restart();
            return attempt();
        }

        /**
         * Handles a failure that an earlier request may have caused. Begins another attempt if the outcome of the
         * earlier request is resolved now.
         */
        private Uni<SelectionOutcome> recognize(IdempotencyKey key, SelectionOutcome.Failure failure) {
            // Releases the request's heap, as in attemptWithoutLimit: another attempt may follow.
            share.restart();
            return earlierRequests
                    .recognize(key, (RecordedClaims) Objects.requireNonNull(claiming), failure, trace.phases())
                    .chain(end -> end.cause() != null && retries.allow(end.cause())
                            ? attempt()
                            : Uni.createFrom().item(end.outcome()));
        }
    }
}
