package io.berth.scheduler.selection;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.extension.EnabledClasses;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.DeletedNames;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.search.UnknownNames;
import io.berth.scheduler.selection.SelectLoop.Step;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/**
 * Completes a request with the demands that follow from its flavor and image and with its server group, and checks its
 * names against the current registry and placement.
 */
@Singleton
class Derivation {
    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;
    private final ServerGroups groups;
    private final UnknownNames names;

    Derivation(ConfiguredOptions configured, EnabledClasses enabled, ServerGroups groups, UnknownNames names) {
        this.configured = configured;
        this.enabled = enabled;
        this.groups = groups;
        this.names = names;
    }

    /** A completed request, and the registry on which it is decided. */
    record Complete(RequestSpec spec, RegistrySnapshot registry) {}

    /**
     * Completes a request, or ends it with an error: for an invalid demand, for an unknown name, for a server group
     * whose policy needs a filter or weigher that is not enabled, or if placement does not respond.
     */
    Uni<Step<Complete>> derive(SelectionRequest request, DecisionTrace trace) {
        Options options = configured.options();
        return switch (Constraints.derive(
                request.spec(), request.toDerive(), options, () -> UUID.randomUUID().toString())) {
            case DerivedValue.Refused<RequestSpec>(String why) -> invalid(why);
            case DerivedValue.Value<RequestSpec>(RequestSpec spec) -> trace.phases()
                    .during(Phase.REGISTRY, () -> groups.currentRegistry(
                            registry -> ServerGroups.find(spec, registry), trace.request().requestId()))
                    .chain(registry -> checkNames(spec, request.placedBefore(), registry, trace.request().requestId()));
        };
    }

    private Uni<Step<Complete>> checkNames(
            RequestSpec derived, boolean placedBefore, RegistrySnapshot registry, String requestId) {
        String zone = configured.options().defaults().defaultAvailabilityZone();
        RequestSpec spec = placedBefore ? DeletedNames.ignore(derived, registry, zone) : derived;
        // A rebuild stays on its host, so it does not matter whether names of its first placement still exist.
        return spec.schedulerHints().asksForRebuildCheck()
                ? addGroup(spec, registry)
                : names.find(spec, registry, zone, requestId)
                        .chain(refusal -> refusal == null ? addGroup(spec, registry) : Step.end(refused(refusal)));
    }

    private Uni<Step<Complete>> addGroup(RequestSpec spec, RegistrySnapshot registry) {
        return switch (ServerGroups.complete(spec, registry, enabled.filters(), enabled.weighers())) {
            case DerivedValue.Refused<RequestSpec>(String why) -> invalid(why);
            case DerivedValue.Value<RequestSpec>(RequestSpec complete) -> Step.next(new Complete(complete, registry));
        };
    }

    private static Uni<Step<Complete>> invalid(String why) {
        return Step.end(new SelectionOutcome.Failed(ErrorCode.REQUEST_INVALID, why));
    }

    static SelectionOutcome.Failed refused(HostSearch.Refused refused) {
        return new SelectionOutcome.Failed(refused.code(), refused.detail(), refused.reason(), null);
    }
}
