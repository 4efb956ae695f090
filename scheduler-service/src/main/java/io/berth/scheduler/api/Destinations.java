package io.berth.scheduler.api;

import io.berth.scheduler.api.Phases.Phase;
import io.berth.scheduler.attestation.TrustLevels;
import io.berth.scheduler.claim.Claiming;
import io.berth.scheduler.claim.NewClaims;
import io.berth.scheduler.claim.NoClaims;
import io.berth.scheduler.config.Driver;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.Constraints;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.HostStates;
import io.berth.scheduler.host.registry.PlacedInstances;
import io.berth.scheduler.host.registry.RegistryFeed;
import io.berth.scheduler.host.registry.RegistrySnapshot;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.numa.Derived;
import io.berth.scheduler.request.RequestSpec;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * From a request to claimed hosts: registry, then {@link HostSearch} for the hosts and {@link Rounds} for the claims.
 * <br>Source: nova {@code scheduler/manager.py} (select_destinations).
 */
@Singleton
public class Destinations {
    private static final Logger LOG = Logger.getLogger(Destinations.class);

    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;
    private final RegistryFeed feed;
    private final UnknownNames names;
    private final HostSearch search;
    private final TrustLevels trust;
    private final NewClaims newClaims;
    private final ChanceDriver chance;
    private final CachingDriver caching;
    private final PlacedInstances placed;
    private final DecisionMetrics metrics;

    Destinations(
            ConfiguredOptions configured,
            EnabledClasses enabled,
            RegistryFeed feed,
            UnknownNames names,
            HostSearch search,
            TrustLevels trust,
            NewClaims newClaims,
            ChanceDriver chance,
            CachingDriver caching,
            PlacedInstances placed,
            DecisionMetrics metrics) {
        this.configured = configured;
        this.enabled = enabled;
        this.feed = feed;
        this.names = names;
        this.search = search;
        this.trust = trust;
        this.newClaims = newClaims;
        this.chance = chance;
        this.caching = caching;
        this.placed = placed;
        this.metrics = metrics;
    }

    /** Places instances that hold nothing, claims as the driver does, and registers them. */
    Uni<Outcome> select(SelectBody body, SchedulingInputs.Detail detail, String requestId, Phases phases) {
        Uni<Outcome> selected = driver() == Driver.CHANCE_SCHEDULER
                ? chance.place(body.spec(), body.returnAlternates(), requestId)
                : found(body, body.claims() ? newClaims : NoClaims.NO_CLAIMS, detail, requestId, phases);
        return measured(phases, body.claims()
                ? selected.call(outcome ->
                        phases.during(Phase.REGISTER, () -> register(body.spec(), outcome, requestId)))
                : selected);
    }

    private Uni<Outcome> measured(Phases phases, Uni<Outcome> selecting) {
        return selecting
                .invoke(outcome -> metrics.ended(phases, outcome))
                .onFailure().invoke(metrics::failed);
    }

    Driver driver() {
        return configured.options().scheduler().driver();
    }

    /** The next request of the same group must see these. A claim stands even if they cannot be written. */
    private Uni<Void> register(RequestSpec spec, Outcome outcome, String requestId) {
        if (!(outcome instanceof Outcome.Selected selected) || spec.schedulerHints().asksForRebuildCheck()) {
            return Uni.createFrom().voidItem();
        }
        List<HostState> hosts = selected.decision().selections().stream().map(List::getFirst).toList();
        // The first round's spec names the server group that was found for the request.
        RequestSpec scheduled = selected.decision().rounds().isEmpty()
                ? spec
                : selected.decision().rounds().getFirst().round().spec();
        return placed.add(scheduled, hosts)
                .onFailure().invoke(failure -> LOG.warnf(
                        "claimed, but instances not registered request=%s cause=%s", requestId, failure))
                .onFailure().recoverWithNull();
    }

    /** @param claiming how the hosts found are claimed */
    Uni<Outcome> select(SelectBody body, Claiming claiming, SchedulingInputs.Detail detail, String requestId) {
        Phases phases = new Phases();
        return measured(phases, found(body, claiming, detail, requestId, phases));
    }

    private Uni<Outcome> found(
            SelectBody body, Claiming claiming, SchedulingInputs.Detail detail, String requestId, Phases phases) {
        Options options = configured.options();
        return switch (Constraints.derive(
                body.spec(), body.open(), options, () -> UUID.randomUUID().toString())) {
            case Derived.Refused<RequestSpec>(String why) -> failed(ErrorCode.REQUEST_INVALID, why);
            case Derived.Value<RequestSpec>(RequestSpec spec) -> phases.during(Phase.REGISTRY, feed::current)
                    .chain(registry ->
                            new Request(body, claiming, detail, requestId, options, registry, phases).run(spec));
        };
    }

    private static Uni<Outcome> failed(ErrorCode code, String detail) {
        return Uni.createFrom().item(new Outcome.Failed(code, detail));
    }

    /** One request on its way. */
    private final class Request {
        private final SelectBody body;
        private final Claiming claiming;
        private final SchedulingInputs.Detail detail;
        private final String requestId;
        private final Options options;
        private final RegistrySnapshot registry;
        private final Phases phases;

        Request(
                SelectBody body,
                Claiming claiming,
                SchedulingInputs.Detail detail,
                String requestId,
                Options options,
                RegistrySnapshot registry,
                Phases phases) {
            this.body = body;
            this.claiming = claiming;
            this.detail = detail;
            this.requestId = requestId;
            this.options = options;
            this.registry = registry;
            this.phases = phases;
        }

        Uni<Outcome> run(RequestSpec derived) {
            // A rebuild stays where it is, whatever became of the names that the instance was made with.
            return derived.schedulerHints().asksForRebuildCheck()
                    ? known(derived)
                    : names.find(derived, registry, options.defaults().defaultAvailabilityZone(), requestId)
                            .chain(unknown -> unknown == null ? known(derived) : Uni.createFrom().item(unknown));
        }

        private Uni<Outcome> known(RequestSpec derived) {
            return switch (ServerGroups.complete(derived, registry, enabled.filters(), enabled.weighers())) {
                case Derived.Refused<RequestSpec>(String why) -> failed(ErrorCode.REQUEST_INVALID, why);
                case Derived.Value<RequestSpec>(RequestSpec spec) -> {
                    if (spec.schedulerHints().asksForRebuildCheck()) {
                        yield check(spec);
                    }
                    yield driver() == Driver.CACHING_SCHEDULER
                            ? caching.place(spec, body.returnAlternates(), inputs(), requestId)
                            : claiming == NoClaims.NO_CLAIMS
                                    ? find(spec, HostSearch.Reading.AS_TOLD)
                                    : claimAmongOthers(spec);
                }
            };
        }

        /** Whether hosts would still do. Asks placement nothing and claims nothing. */
        private Uni<Outcome> check(RequestSpec spec) {
            Duration downTime = Duration.ofSeconds(options.defaults().serviceDownTimeSeconds());
            return rounds(NoClaims.NO_CLAIMS).run(
                    spec,
                    HostStates.registered(registry, downTime, spec.requestedDestination()),
                    body.returnAlternates());
        }

        /** That other requests' claims leave no host is no proof: whether those claims hold is placement's to say. */
        private Uni<Outcome> claimAmongOthers(RequestSpec spec) {
            return settled(spec, registry.mayHavePendingReleases(), HostSearch.Reading.TO_CLAIM)
                    .chain(outcome -> outcome instanceof Outcome.Failed failed
                                    && failed.code() == ErrorCode.NO_VALID_HOST
                                    && search.decided(requestId)
                            // What the first try could not take back was recorded after the registry was read.
                            ? settled(spec, true, HostSearch.Reading.AS_TOLD)
                            : Uni.createFrom().item(outcome))
                    .onTermination().invoke(() -> search.decided(requestId));
        }

        /**
         * What earlier requests left of the same instances would take their room: it goes before placement is asked.
         */
        private Uni<Outcome> settled(RequestSpec spec, boolean mayBeLeft, HostSearch.Reading reading) {
            if (!mayBeLeft) {
                return find(spec, reading);
            }
            List<UUID> instances = spec.instanceUuids().stream().map(UUID::fromString).toList();
            return phases.during(Phase.SETTLE, () -> claiming.settle(instances, requestId)).chain(settled -> settled
                    ? find(spec, reading)
                    : failed(
                            ErrorCode.PLACEMENT_UNAVAILABLE,
                            "placement does not answer: claims of an earlier request could not be taken back yet"));
        }

        private Uni<Outcome> find(RequestSpec spec, HostSearch.Reading reading) {
            return search.find(spec, registry, reading, requestId, phases).chain(result -> place(result)
                    .chain(outcome -> result instanceof HostSearch.Hosts hosts
                                    && hosts.isCut(options.scheduler().maxPlacementResults())
                                    && outcome instanceof Outcome.Failed failed
                                    && failed.code() == ErrorCode.NO_VALID_HOST
                            ? findUncut(spec, reading, failed)
                            : Uni.createFrom().item(outcome)));
        }

        /** That none of the first so many hosts would do says nothing of the others. */
        private Uni<Outcome> findUncut(RequestSpec spec, HostSearch.Reading reading, Outcome.Failed first) {
            return search.findWithoutLimit(spec, registry, reading, requestId, phases)
                    .chain(result -> result instanceof HostSearch.Hosts
                            ? place(result)
                            : Uni.createFrom().item(new Outcome.Failed(
                                    first.code(),
                                    first.detail() + "; placement's answer was cut at "
                                            + options.scheduler().maxPlacementResults()
                                            + " candidates (max_placement_results), and it does not give all",
                                    first.decision())));
        }

        private Uni<Outcome> place(HostSearch.Result result) {
            return switch (result) {
                case HostSearch.Ended(Outcome outcome) -> Uni.createFrom().item(outcome);
                case HostSearch.Hosts found -> phases
                        .during(Phase.ATTEST, () -> trust.attest(found.spec(), found.hosts(), enabled.filters()))
                        .chain(attested -> rounds(claiming).run(found.spec(), attested, body.returnAlternates()));
            };
        }

        private Rounds rounds(Claiming how) {
            return new Rounds(inputs(), how, requestId, phases);
        }

        private SchedulingInputs inputs() {
            return new SchedulingInputs(
                    options, enabled.filters(), enabled.weighers(), new SplittableRandom(), detail, enabled.memory(),
                    phases);
        }
    }
}
