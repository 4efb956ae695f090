package io.berth.placement.candidate.scenario;

import io.berth.json.Timestamps;
import io.berth.placement.candidate.explanation.Explanation;
import io.berth.placement.candidate.response.AfterParameter;
import io.berth.placement.candidate.response.CandidateReferences;
import io.berth.placement.candidate.response.CandidatesResponse;
import io.berth.placement.candidate.response.JsonBytes;
import io.berth.placement.candidate.response.TreeWriter;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import io.berth.placement.inventory.InventoryJson;
import io.berth.placement.query.JsonAt;
import jakarta.annotation.Nullable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Evaluates the queries of a what-if request on a scenario, with the same searches as on the present fleet. The result
 * depends only on the view (an immutable snapshot of the fleet), the request, the options and {@code random}. When the
 * time is up, the evaluation ends, and the response lists the missing and incomplete results. One object evaluates one
 * request, on one thread.
 */
final class WhatIf {
    private static final String SHARING_TRAIT = "MISC_SHARES_VIA_AGGREGATE";

    private final FleetView view;
    private final WhatIfBody body;
    private final CandidateOptions options;
    private final @Nullable RandomGenerator random;
    private final long bytesMax;
    private final BooleanSupplier timeIsUp;
    private final Instant time;
    /** The reasons for which the response is incomplete, each with the path of its query. */
    private final List<String> gaps = new ArrayList<>();
    /** The bytes of all results so far. */
    private long bytes;

    /**
     * @param random source of the random order of candidates; null unless the options require random order
     * @param bytesMax limit of the results of all queries together, in bytes; beyond it, the request is refused with
     *         400
     * @param timeIsUp returns true when the evaluation must end; polled on the caller's thread
     * @param time a time at which the view showed every commit
     */
    WhatIf(
            FleetView view, WhatIfBody body, CandidateOptions options, @Nullable RandomGenerator random, long bytesMax,
            BooleanSupplier timeIsUp, Instant time) {
        this.view = view;
        this.body = body;
        this.options = options;
        this.random = random;
        this.bytesMax = bytesMax;
        this.timeIsUp = timeIsUp;
        this.time = time;
    }

    /**
     * Evaluates all queries and returns the response body. Call it once, on a worker thread.
     *
     * @throws ApiException 400, 404 or 413; the message contains the path of the invalid value
     */
    byte[] answer() {
        FleetView scenario = ScenarioFleet.of(
                view, body.changes(), body.providersAddedMax(),
                // The changes may take a quarter of the heap, because only one analysis job runs at a time.
                Runtime.getRuntime().maxMemory() / 4 / ScenarioFleet.ASSIGNMENT_BYTES);
        requireKnown(scenario);
        byte[] answers = answer(scenario, "");
        byte[] before = body.before() ? answer(view, "before: ") : null;
        JsonBytes out = new JsonBytes();
        out.put("{\"as_of\":").put(Json.writeObject(json -> {
            json.writeStringField("replica", view.lineage());
            json.writeNumberField("fleet_version", view.version());
            json.writeNullField("registry_version");
            json.writeStringField("time", Timestamps.text(time));
        }));
        out.put(",\"complete\":").put(Boolean.toString(gaps.isEmpty())).put(",\"gaps\":[");
        gaps.forEach(gap -> out.beginElement().put(Json.quoted(gap)));
        out.put("],");
        if (!body.after().isEmpty()) {
            out.put("\"changed\":")
                    .put(CandidateReferences.renderTrees(view, AfterParameter.changed(body.after(), view)))
                    .put(',');
        }
        out.put(answers);
        if (before != null) {
            out.put(",\"before\":{").put(before).put('}');
        }
        return out.put('}').toByteArray();
    }

    /** Returns the error for a response that exceeds the limit. */
    static ApiException tooLarge(long bytesMax) {
        return ApiException.badRequest("The response exceeds " + bytesMax + " bytes. Request less at a time.");
    }

    /** Refuses a query that names a provider that exists neither before nor after the changes. */
    private void requireKnown(FleetView scenario) {
        for (ScenarioQuery query : body.queries()) {
            switch (query) {
                case ScenarioQuery.Candidates _, ScenarioQuery.Roots _ -> {}
                case ScenarioQuery.Explained explained ->
                    requireKnown(scenario, query.at(), "providers", explained.providers());
                case ScenarioQuery.Fill fill ->
                    requireKnown(scenario, query.at(), "roots", fill.roots() == null ? List.of() : fill.roots());
                case ScenarioQuery.Trees trees -> requireKnown(scenario, query.at(), "roots", trees.roots());
            }
        }
    }

    private void requireKnown(FleetView scenario, JsonAt at, String list, List<UUID> uuids) {
        for (int i = 0; i < uuids.size(); i++) {
            if (scenario.find(uuids.get(i)) == null && view.find(uuids.get(i)) == null) {
                throw at.get(list).list(Integer.MAX_VALUE).get(i).notFound("no resource provider " + uuids.get(i));
            }
        }
    }

    /**
     * Evaluates all queries on one view, and renders the members {@code roots} and {@code answers}.
     *
     * @param fleet the scenario, or the present fleet
     * @param pathPrefix prefix of the paths in {@code gaps}, which distinguishes the gaps of the present fleet
     */
    private byte[] answer(FleetView fleet, String pathPrefix) {
        List<ScenarioQuery.Fill> fills = body.queries().stream().filter(ScenarioQuery.Fill.class::isInstance)
                .map(ScenarioQuery.Fill.class::cast).toList();
        Fills fillResults = new Fills(fleet, fills, bytesMax - bytes, timeIsUp);
        int nextFill = 0;
        List<byte[]> answers = new ArrayList<>();
        for (int i = 0; i < body.queries().size(); i++) {
            ScenarioQuery query = body.queries().get(i);
            byte[] json;
            String gap;
            // The first fill evaluates all fills, so the other fills have results even if the time is up now.
            if (timeIsUp.getAsBoolean() && !(query instanceof ScenarioQuery.Fill && nextFill > 0)) {
                json = null;
                gap = "time: not evaluated";
            } else {
                RenderedResponse rendered = switch (query) {
                    case ScenarioQuery.Candidates candidates -> candidates(fleet, candidates);
                    case ScenarioQuery.Explained explained -> explain(fleet, explained);
                    case ScenarioQuery.Fill _ -> {
                        if (nextFill == 0) {
                            // One pass over the trees evaluates all fills.
                            fillResults.run();
                        }
                        yield new RenderedResponse(fillResults.json(nextFill), fillResults.gap(nextFill++));
                    }
                    case ScenarioQuery.Trees trees -> new RenderedResponse(trees(fleet, trees), null);
                    case ScenarioQuery.Roots roots -> new RenderedResponse(roots(fleet, roots), null);
                };
                json = rendered.json();
                gap = rendered.gap();
            }
            if (gap != null) {
                gaps.add(pathPrefix + query.at().path() + ": " + gap);
            }
            bytes += json == null ? 0 : json.length;
            if (bytes > bytesMax) {
                throw tooLarge(bytesMax);
            }
            answers.add(json);
        }
        JsonBytes out = new JsonBytes();
        if (!fills.isEmpty()) {
            out.put("\"roots\":").put(fillResults.roots()).put(',');
        }
        out.put("\"answers\":[");
        for (byte[] json : answers) {
            out.beginElement().put(json == null ? NULL : json);
        }
        return out.put(']').toByteArray();
    }

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    /**
     * The result of one query.
     *
     * @param json the JSON; null if there is no result
     * @param gap the reason for which the result is incomplete or missing; null if it is complete
     */
    private record RenderedResponse(@Nullable byte[] json, @Nullable String gap) {}

    private RenderedResponse candidates(FleetView fleet, ScenarioQuery.Candidates query) {
        try {
            byte[] json = query.references()
                    ? CandidateReferences.search(
                            fleet, view, query.query(), options, random, bytesMax - bytes, timeIsUp)
                    : CandidatesResponse.write(fleet, query.query(), options, random, bytesMax - bytes, timeIsUp);
            return new RenderedResponse(json, json == null ? "time: not all candidates were found" : null);
        } catch (ApiException refusal) {
            throw query.at().get("query").refused(refusal);
        }
    }

    private RenderedResponse explain(FleetView fleet, ScenarioQuery.Explained query) {
        List<Provider> providers = new ArrayList<>();
        for (UUID uuid : query.providers()) {
            Provider provider = fleet.find(uuid);
            if (provider != null) {
                providers.add(provider);
            }
        }
        // Without providers, an explanation selects the nearest trees, which a query that names providers excludes.
        int providersLimit = providers.isEmpty() && !query.providers().isEmpty() ? 0 : query.providersLimit();
        var request = new Explanation.Request(
                query.query(), query.counts(), providers, providersLimit, query.relaxations(), true);
        try {
            var explanation = new Explanation(fleet, request, options, random, (bytesMax - bytes) / 4, timeIsUp);
            return new RenderedResponse(explanation.render(time),
                    explanation.isComplete() ? null : "the explanation is not complete");
        } catch (ApiException refusal) {
            throw query.at().get("query").refused(refusal);
        }
    }

    private byte[] trees(FleetView fleet, ScenarioQuery.Trees query) {
        var writer = new TreeWriter(fleet);
        JsonBytes out = new JsonBytes().put("{\"trees\":[");
        for (UUID root : new LinkedHashSet<>(query.roots())) {
            Provider provider = fleet.find(root);
            if (provider != null) {
                out.beginElement().put(
                        writer.write(fleet.treeOf(provider), (node, into) -> writeDetails(fleet, node, into)));
            }
            if (bytes + out.length() > bytesMax) {
                throw tooLarge(bytesMax);
            }
        }
        return out.put("]}").toByteArray();
    }

    /** Renders the roots that match the query; {@code sharing} has the indexes of roots with {@link #SHARING_TRAIT}. */
    private byte[] roots(FleetView fleet, ScenarioQuery.Roots query) {
        NameCatalogue.Entry trait = query.trait() == null ? null : fleet.traits().find(query.trait());
        if (query.trait() != null && trait == null) {
            throw query.at().get("trait").refused("no trait " + query.trait());
        }
        NameCatalogue.Entry sharingTrait = fleet.traits().find(SHARING_TRAIT);
        JsonBytes uuids = new JsonBytes().put('[');
        JsonBytes names = new JsonBytes().put('[');
        JsonBytes sharingIndexes = new JsonBytes().put('[');
        int count = 0;
        for (int slot = 0; slot < fleet.slotCount(); slot++) {
            ProviderTree tree = fleet.findTree(slot);
            if (tree == null || !matches(tree, query, trait)) {
                continue;
            }
            Provider root = tree.root();
            uuids.beginElement().put(root.uuid());
            names.beginElement().put(Json.quoted(root.name()));
            if (sharingTrait != null && root.hasTrait(sharingTrait.id())) {
                sharingIndexes.beginElement().put(count);
            }
            count++;
        }
        return new JsonBytes().put("{\"roots\":").put(uuids.put(']').toByteArray())
                .put(",\"names\":").put(names.put(']').toByteArray())
                .put(",\"sharing\":").put(sharingIndexes.put(']').toByteArray()).put('}').toByteArray();
    }

    private static boolean matches(ProviderTree tree, ScenarioQuery.Roots query, @Nullable NameCatalogue.Entry trait) {
        Provider root = tree.root();
        return (query.names() == null || query.names().contains(root.name()))
                && (query.aggregate() == null || root.isIn(query.aggregate()))
                && (trait == null || tree.nodes().stream().anyMatch(node -> node.hasTrait(trait.id())));
    }

    /** Writes the members of a provider that {@link TreeWriter} does not write. */
    private static void writeDetails(FleetView fleet, Provider provider, JsonBytes out) {
        out.put(",\"name\":").put(Json.quoted(provider.name())).put(",\"generation\":").put(provider.generation())
                .put(",\"inventories\":")
                .put(Json.write(json -> InventoryJson.write(json, provider.inventories(), fleet.resourceClasses())))
                .put(",\"aggregates\":[");
        for (UUID aggregate : provider.aggregates()) {
            out.beginElement().put(aggregate);
        }
        out.put(']');
    }
}
