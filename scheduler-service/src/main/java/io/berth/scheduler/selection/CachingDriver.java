package io.berth.scheduler.selection;

import io.berth.scheduler.attestation.TrustLevels;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.decision.explanation.NoValidHost;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.Computing;
import io.berth.scheduler.weigher.RankedHost;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code caching_scheduler}: filters and weighers on {@link HostCache}. Placement is asked for no candidates and
 * nothing is claimed, so a host may turn out to be full; alternates are the answer to that.
 * <br>Source: nova {@code scheduler/caching_scheduler.py}, last in 2018.
 */
@Singleton
class CachingDriver {
    private final HostCache cache;
    private final TrustLevels trust;

    CachingDriver(HostCache cache, TrustLevels trust) {
        this.cache = cache;
        this.trust = trust;
    }

    Uni<Outcome> place(RequestSpec spec, boolean withAlternates, SchedulingInputs inputs, String requestId) {
        return cache.hosts(requestId)
                .chain(read -> trust.levels(spec, read, inputs.filters()))
                .chain(attest -> Computing.aside(() -> cache.decide(hosts -> decide(
                        inReach(hosts, spec).stream().map(attest).toList(), spec, withAlternates, inputs))));
    }

    private Outcome decide(
            List<HostState> hosts, RequestSpec spec, boolean withAlternates, SchedulingInputs inputs) {
        Scheduling scheduling = Scheduling.begin(spec, hosts, inputs);
        while (!scheduling.isComplete()) {
            List<RankedHost> attempts = scheduling.round().attempts();
            if (attempts.isEmpty()) {
                return failed(scheduling.giveUp());
            }
            scheduling = scheduling.consume(attempts.getFirst());
        }
        Decision decision = scheduling.finish(withAlternates);
        if (decision.error() != null) {
            return failed(decision);
        }
        Set<HostName> selected = new HashSet<>();
        scheduling.done().forEach(placed -> selected.add(HostName.of(placed.host())));
        cache.charge(scheduling.hosts().stream()
                .filter(host -> selected.contains(HostName.of(host)))
                .toList());
        return new Outcome.Selected(decision, Selection.of(decision));
    }

    private static Outcome failed(Decision decision) {
        return decision.error() == null
                ? new Outcome.Failed(ErrorCode.NO_VALID_HOST, NoValidHost.describe(decision), decision)
                : new Outcome.Failed(ErrorCode.REQUEST_INVALID, decision.error().detail(), decision);
    }

    private static List<HostState> inReach(List<HostState> hosts, RequestSpec spec) {
        var destination = spec.requestedDestination();
        String cell = destination == null || destination.allowCrossCellMove() ? null : destination.cellUuid();
        return cell == null
                ? hosts
                : hosts.stream().filter(host -> cell.equals(host.cellUuid())).toList();
    }
}
