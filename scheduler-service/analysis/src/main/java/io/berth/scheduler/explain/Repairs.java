package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.job.Scenario;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.placementsync.RatioSources;
import io.berth.scheduler.planning.MovesAway;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Finds sets of changes that admit a host. Each returned set was tried: with all its changes, placement and the filters
 * admit the host. A change is left out if a trial without it also admits the host; these trials stop when the time or
 * the number of trials is used up. Each trial queries placement. An object is for one explanation, and is used only by
 * the analysis worker's thread.
 */
final class Repairs {
    /** The maximum number of trials for one host. */
    private static final int TRIALS_MAX = 150;
    private static final String NOT_TRIED = "admitted_by: not all changes could be tried";

    private final Snapshot snapshot;
    private final JsonNode request;
    private final HostConsumers tenants;
    private final RatioSources ratios;
    private final Set<String> gaps = new TreeSet<>();
    private int trialsLeft;

    Repairs(Snapshot snapshot, JsonNode request, MovesAway moves) {
        this.snapshot = snapshot;
        this.request = request;
        this.tenants = new HostConsumers(snapshot, moves);
        this.ratios = new RatioSources(snapshot.options().defaults().inventory());
    }

    /**
     * Returns a description of what was not tried, because the time or the number of trials was used up; empty if all
     * searches were completed.
     */
    Set<String> gaps() {
        return gaps;
    }

    /**
     * Returns at most three sets of changes, each of which admits the host. The sets that need the fewest calls come
     * first. Among sets with equally many calls, those without values that exceed what hardware usually supports come
     * first, then those with the fewest changes of the request. At most one set moves instances; it comes last even if
     * it needs fewer calls.
     */
    List<List<Change>> findSets(Evaluation.Host rejected) {
        trialsLeft = TRIALS_MAX;
        return new SmallestSets(this, rejected).find().stream()
                .map(set -> new CallsInOrder(rejected).mergeAndAdapt(set))
                .toList();
    }

    /**
     * A host after changes.
     *
     * @param host the host with its remaining obstacles
     * @param changes proposes changes that might remove these obstacles
     */
    record Trial(Evaluation.Host host, Changes changes) {}

    /** Returns the host without changes. */
    Trial withoutChanges(Evaluation.Host host) {
        return toTrial(host, snapshot.registry());
    }

    private Trial toTrial(Evaluation.Host host, RegistrySnapshot registry) {
        return new Trial(host, new Changes(registry, ratios, host, new RequestChanges(request), tenants));
    }

    /**
     * Evaluates a host after the changes. Returns null if placement refuses the changes, the changed request is
     * invalid, or the time or the number of trials is used up. Throws the ApiFault of a failure with a status of 500 or
     * more, for example because placement does not respond.
     */
    @Nullable Trial attempt(Target target, List<Change> changes) {
        if (!mayTry()) {
            gaps.add(NOT_TRIED);
            return null;
        }
        trialsLeft--;
        // Changes of the host apply only to the provider of the evaluated node. The other nodes of the compute service
        // may not exist in placement, and placement refuses changes of unknown providers.
        Scenario cloud = new Scenario(snapshot.registry()).setProviders(target.host(), List.of(target.provider()));
        ObjectNode changedRequest = request.deepCopy();
        changes.forEach(change -> change.effect().applyTo(cloud, changedRequest));
        try {
            RequestSpecBody parsed =
                    RequestSpecBody.read(new StrictObject(changedRequest, "$.request_spec"), UUID::randomUUID);
            Evaluation evaluation =
                    Evaluation.of(snapshot.with(cloud), parsed, List.of(target), Evaluation.Detail.ADMISSIBLE);
            if (!evaluation.gaps().isEmpty()) {
                gaps.add(NOT_TRIED);
            }
            return evaluation.hosts().isEmpty() ? null : toTrial(evaluation.hosts().getFirst(), cloud.registry());
        } catch (ApiFault fault) {
            if (fault.error().code().status() >= 500) {
                throw fault;
            }
            return null;
        }
    }

    /** Returns whether time and trials are left. */
    boolean mayTry() {
        return !snapshot.deadline().isUp() && trialsLeft > 0;
    }
}
