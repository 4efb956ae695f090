package io.berth.scheduler.planning;

import io.berth.scheduler.host.registry.instance.InstanceNames;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.response.AnalysisOutcome;
import io.berth.scheduler.response.ResponseFormat;
import io.berth.scheduler.scenariochange.DeadlineExceeded;
import io.berth.scheduler.scenariochange.SelectedHost;
import io.berth.scheduler.scenariochange.Selector;
import io.berth.scheduler.selection.Destinations;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Finds moves that bring a goal nearer. Tries each move on a copy of the cloud that contains the earlier moves. The
 * request of the trial is the one that an operator sends to make the move. The search is greedy: its result is valid,
 * but not always the best.
 */
@Singleton
class Proposals {
    private final Requests requests;
    private final Destinations destinations;
    private final InstanceNames names;

    Proposals(Requests requests, Destinations destinations, InstanceNames names) {
        this.requests = requests;
        this.destinations = destinations;
        this.names = names;
    }

    /**
     * Returns the response. Its outcome is {@code INCOMPLETE} if there are gaps (parts of the cloud that were not
     * evaluated, or that changed during the search), otherwise {@code YES} if the moves reach the goal, and {@code NO}
     * if not. Blocks; for the analysis worker only. Throws ApiFault: 400 and 404 with the path of the invalid member,
     * 409 if the scheduler cannot make moves, 501 if placement is not Berth's, 503 if it does not respond.
     */
    Response answer(Snapshot snapshot, ProposalsBody body, ResponseFormat format) {
        destinations.requireMoves();
        ProposedMoves start = new ProposedMoves(new Mover(snapshot, requests, body.requestSpecs()), body.movesMax());
        Proposal found = switch (body.goal()) {
            case ProposalsBody.MakeRoom(var request, int count) -> new CapacityFreeing(request, count).find(start);
            case ProposalsBody.EmptyHosts(var hosts, int count) -> {
                try {
                    yield new HostConsolidation(start, hosts == null ? null : hostNames(snapshot, hosts), count).find();
                } catch (DeadlineExceeded late) {
                    // Only this goal has a selector, which throws at the deadline; a search for moves ends in time.
                    yield HostConsolidation.outOfTime(start);
                }
            }
            case ProposalsBody.Spread(String resourceClass) -> new LoadBalancing(resourceClass).find(start);
        };
        List<String> gaps = new ArrayList<>(found.gaps());
        if (snapshot.registry().hasOmittedInstances()) {
            gaps.add(Snapshot.INSTANCES_OMITTED);
        }
        if (snapshot.hasFleetChanged()) {
            gaps.add(Snapshot.PLACEMENT_CHANGED);
        }
        Proposal proposal = new Proposal(
                found.goal(), found.reached(), found.course(), found.gain(), found.binding(),
                gaps.stream().distinct().toList());
        Map<UUID, String> instanceNames = names.namesOf(proposal.instances()).await().indefinitely();
        return format.render(
                AnalysisOutcome.of(gaps.isEmpty(), found.reached()), proposal.render(snapshot, instanceNames),
                ProposalText::of);
    }

    /** Returns the names of the selected hosts. Throws DeadlineExceeded if the time is up before they are found. */
    private static List<String> hostNames(Snapshot snapshot, Selector hosts) {
        return hosts.find(snapshot).stream().map(SelectedHost::host).toList();
    }
}
