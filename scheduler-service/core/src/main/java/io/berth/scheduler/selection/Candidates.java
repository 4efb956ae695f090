package io.berth.scheduler.selection;

import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.extension.EnabledClasses;
import io.berth.scheduler.extension.FactSources;
import io.berth.scheduler.heap.DecisionHeap;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.states.HostStates;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.selection.SelectLoop.Step;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;

/** Finds the hosts that placement offers for a request, and explains why hosts are missing among them. */
@Singleton
class Candidates {
    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;
    private final HostSearch search;
    private final FactSources facts;

    Candidates(ConfiguredOptions configured, EnabledClasses enabled, HostSearch search, FactSources facts) {
        this.configured = configured;
        this.enabled = enabled;
        this.search = search;
        this.facts = facts;
    }

    /**
     * Finds the hosts that placement offers for a request.
     *
     * @param limitedFailure null to query limited candidates. Otherwise the failure on limited candidates, after which
     *     all candidates are queried; if this query finds none or fails, the outcome is {@code limitedFailure} with a
     *     remark
     */
    Uni<Step<HostSearch.Hosts>> find(
            Derivation.Complete complete, HostSearch.Reading reading, @Nullable SelectionOutcome.Failed limitedFailure,
            DecisionHeap.Share share, DecisionTrace trace) {
        return search.find(complete.spec(), complete.registry(), reading, limitedFailure == null, share, trace)
                .chain(result -> switch (result) {
                    case HostSearch.WaitedForHeap _ -> Uni.createFrom().item(new Step.End<>(
                            new SelectionOutcome.Failed(ErrorCode.OVERLOADED, "waited for memory"),
                            Retries.Cause.WAITED_FOR_MEMORY));
                    case HostSearch.Hosts found -> trace.phases()
                            .during(Phase.ATTEST, () -> facts.add(found.spec(), found.hosts(), enabled.filters()))
                            .map(attested -> new Step.Next<>(found.with(attested)));
                    case HostSearch.Refused refused ->
                        Step.end(limitedFailure == null ? Derivation.refused(refused) : withCutRemark(limitedFailure));
                    case HostSearch.NoCandidates(var query, var shortfall) ->
                        Step.end(limitedFailure == null
                                ? new SelectionOutcome.NoCandidates(query, shortfall)
                                : withCutRemark(limitedFailure));
                });
    }

    /** Finds the hosts for the check whether a rebuilt instance may stay on its host, which claims nothing. */
    Uni<Step<HostSearch.Hosts>> findToCheck(Derivation.Complete complete, DecisionHeap.Share share, String requestId) {
        return search.findToCheck(complete.spec(), complete.registry(), share, requestId)
                .map(hosts -> new Step.Next<>(
                        new HostSearch.Hosts(complete.spec(), hosts, "", AllocationCandidates.NONE)));
    }

    /**
     * Ends the request's use of its candidates. Returns whether in-flight claims of other requests, which may still
     * fail, were subtracted from the candidates.
     */
    boolean endTurn(String requestId) {
        return search.endTurn(requestId);
    }

    /** Returns whether placement may have more candidates, because the query was limited. */
    boolean mayBeIncomplete(HostSearch.Hosts found) {
        return found.mayBeIncomplete(configured.options().scheduler().maxPlacementResults());
    }

    /**
     * Returns the failure on limited candidates after the query for all candidates failed, with the remark that there
     * may be more candidates.
     */
    private SelectionOutcome.Failed withCutRemark(SelectionOutcome.Failed limitedFailure) {
        return new SelectionOutcome.Failed(
                limitedFailure.code(),
                limitedFailure.detail() + "; placement's response was limited to "
                        + configured.options().scheduler().maxPlacementResults()
                        + " candidates (max_placement_results), and the query for all of them failed",
                limitedFailure.reason(),
                null);
    }

    /**
     * Completes the explanation of "no valid host" by what the filters did not see. If no candidate is on a host that
     * the request may use, says why. If placement offers no host of the request's affinity group, names such a host.
     * Unless there may be more candidates ({@link #mayBeIncomplete}), explains why placement does not offer the other
     * hosts. Returns other outcomes unchanged.
     */
    Uni<SelectionOutcome> explain(SelectionOutcome outcome, HostSearch.Hosts found, RegistrySnapshot registry,
            String requestId) {
        if (!(outcome instanceof SelectionOutcome.Failed failed && failed.isFor(ErrorCode.NO_VALID_HOST))) {
            return Uni.createFrom().item(outcome);
        }
        SelectionOutcome.Failed consideredFailure =
                found.hosts().isEmpty() ? withoutHosts(failed, found, registry) : failed;
        return withHostOfGroup(consideredFailure, found, registry, requestId)
                .chain(explainedFailure -> mayBeIncomplete(found)
                        ? Uni.createFrom().item(explainedFailure)
                        : withOmittedHosts(explainedFailure, found, registry, requestId));
    }

    /** Explains a failure for which placement offered candidates, but none on a host that the request may use. */
    private static SelectionOutcome.Failed withoutHosts(
            SelectionOutcome.Failed failed, HostSearch.Hosts found, RegistrySnapshot registry) {
        String why = HostStates.explainNoUsableNode(found.candidates(), registry, found.spec().requestedDestination());
        return why == null
                ? failed
                : new SelectionOutcome.Failed(failed.code(), why, failed.reason(), failed.decision());
    }

    /**
     * Explains a failure of a request for an affinity group whose hosts placement does not offer: names such a host and
     * its obstacles. Returns the failure unchanged if there is no such host, or if placement reports no obstacle.
     */
    private Uni<SelectionOutcome.Failed> withHostOfGroup(
            SelectionOutcome.Failed failed, HostSearch.Hosts found, RegistrySnapshot registry, String requestId) {
        ComputeNode node = ServerGroups.findHostNotOffered(found.spec().instanceGroup(), found.hosts(), registry);
        return node == null
                ? Uni.createFrom().item(failed)
                : search.obstacles(found.query(), node, requestId).map(obstacles -> obstacles.isEmpty()
                        ? failed
                        : new SelectionOutcome.Failed(
                                failed.code(),
                                failed.detail() + "; the group is on " + node.host()
                                        + ", which placement does not offer: " + String.join(", ", obstacles),
                                failed.reason(),
                                failed.decision()));
    }

    private Uni<SelectionOutcome> withOmittedHosts(
            SelectionOutcome.Failed failed, HostSearch.Hosts found, RegistrySnapshot registry, String requestId) {
        return search.findShortfall(found.query(), found.spec(), registry, requestId).map(shortfall -> shortfall == null
                ? failed
                : failed.withOmittedHosts(new SelectionOutcome.NoCandidates(found.query(), shortfall)));
    }
}
