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
 * Evaluates the queries of a what-if request, with the same searches as for the present fleet. The result depends only
 * on the view, the request, the options and {@code random}. When the time is up, the evaluation ends, and the response
 * lists the missing results. One instance evaluates one request, on one thread.
 */
final class WhatIf {
    private static final String SHARING = "MISC_SHARES_VIA_AGGREGATE";

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
     * @param random random order of candidates; null unless the options require random order
     * @param bytesMax limit of the response, in bytes; a larger response is refused
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
        gaps.forEach(gap -> out.next().put(Json.quoted(gap)));
        out.put("],");
        if (!body.after().isEmpty()) {
            out.put("\"changed\":").put(CandidateReferences.write(view, AfterParameter.changed(body.after(), view)))
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
        for (ScenarioQuery ask : body.queries()) {
            switch (ask) {
                case ScenarioQuery.Candidates _, ScenarioQuery.Roots _ -> {}
                case ScenarioQuery.Explained explained ->
                    requireKnown(scenario, ask.at(), "providers", explained.providers());
                case ScenarioQuery.Fill fill ->
                    requireKnown(scenario, ask.at(), "roots", fill.roots() == null ? List.of() : fill.roots());
                case ScenarioQuery.Trees trees -> requireKnown(scenario, ask.at(), "roots", trees.roots());
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
     * @param which prefix of the paths in {@code gaps}
     */
    private byte[] answer(FleetView of, String which) {
        List<ScenarioQuery.Fill> fills = body.queries().stream().filter(ScenarioQuery.Fill.class::isInstance)
                .map(ScenarioQuery.Fill.class::cast).toList();
        Fills filled = new Fills(of, fills, bytesMax - bytes, timeIsUp);
        int next = 0;
        List<byte[]> answers = new ArrayList<>();
        for (int i = 0; i < body.queries().size(); i++) {
            ScenarioQuery ask = body.queries().get(i);
            byte[] json;
            String gap;
            // The first fill evaluates all fills, so the further ones have results, though perhaps incomplete ones.
            if (timeIsUp.getAsBoolean() && !(ask instanceof ScenarioQuery.Fill && next > 0)) {
                json = null;
                gap = "time: not looked at";
            } else {
                RenderedResponse rendered = switch (ask) {
                    case ScenarioQuery.Candidates candidates -> candidates(of, candidates);
                    case ScenarioQuery.Explained explained -> explain(of, explained);
                    case ScenarioQuery.Fill _ -> {
                        if (next == 0) {
                            // One pass over the trees evaluates all fills.
                            filled.run();
                        }
                        yield new RenderedResponse(filled.json(next), filled.gap(next++));
                    }
                    case ScenarioQuery.Trees trees -> new RenderedResponse(trees(of, trees), null);
                    case ScenarioQuery.Roots roots -> new RenderedResponse(roots(of, roots), null);
                };
                json = rendered.json();
                gap = rendered.gap();
            }
            if (gap != null) {
                gaps.add(which + ask.at().path() + ": " + gap);
            }
            bytes += json == null ? 0 : json.length;
            if (bytes > bytesMax) {
                throw tooLarge(bytesMax);
            }
            answers.add(json);
        }
        JsonBytes out = new JsonBytes();
        if (!fills.isEmpty()) {
            out.put("\"roots\":").put(filled.roots()).put(',');
        }
        out.put("\"answers\":[");
        for (byte[] json : answers) {
            out.next().put(json == null ? NULL : json);
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

    private RenderedResponse candidates(FleetView of, ScenarioQuery.Candidates ask) {
        try {
            byte[] json = ask.references()
                    ? CandidateReferences.write(of, view, ask.query(), options, random, bytesMax - bytes, timeIsUp)
                    : CandidatesResponse.write(of, ask.query(), options, random, bytesMax - bytes, timeIsUp);
            return new RenderedResponse(json, json == null ? "time: not all candidates were found" : null);
        } catch (ApiException refused) {
            throw ask.at().get("query").refused(refused);
        }
    }

    private RenderedResponse explain(FleetView of, ScenarioQuery.Explained ask) {
        List<Provider> providers = new ArrayList<>();
        for (UUID uuid : ask.providers()) {
            Provider known = of.find(uuid);
            if (known != null) {
                providers.add(known);
            }
        }
        var question = new Explanation.Request(
                ask.query(), ask.counts(), providers, ask.providersLimit(), ask.relaxations(), true);
        try {
            var explanation = new Explanation(of, question, options, random, (bytesMax - bytes) / 4, timeIsUp);
            return new RenderedResponse(explanation.render(time),
                    explanation.isComplete() ? null : "the explanation is not complete");
        } catch (ApiException refused) {
            throw ask.at().get("query").refused(refused);
        }
    }

    private byte[] trees(FleetView of, ScenarioQuery.Trees ask) {
        var writer = new TreeWriter(of);
        JsonBytes out = new JsonBytes().put("{\"trees\":[");
        for (UUID root : new LinkedHashSet<>(ask.roots())) {
            Provider known = of.find(root);
            if (known != null) {
                out.next().put(writer.write(of.treeOf(known), (provider, into) -> writeDetails(of, provider, into)));
            }
            if (bytes + out.length() > bytesMax) {
                throw tooLarge(bytesMax);
            }
        }
        return out.put("]}").toByteArray();
    }

    private byte[] roots(FleetView of, ScenarioQuery.Roots ask) {
        NameCatalogue.Entry trait = ask.trait() == null ? null : of.traits().find(ask.trait());
        if (ask.trait() != null && trait == null) {
            throw ask.at().get("trait").refused("no trait " + ask.trait());
        }
        NameCatalogue.Entry sharing = of.traits().find(SHARING);
        JsonBytes uuids = new JsonBytes().put('[');
        JsonBytes names = new JsonBytes().put('[');
        JsonBytes shares = new JsonBytes().put('[');
        int count = 0;
        for (int slot = 0; slot < of.slotCount(); slot++) {
            ProviderTree tree = of.findTree(slot);
            if (tree == null || !isAsked(tree, ask, trait)) {
                continue;
            }
            Provider root = tree.root();
            uuids.next().put(root.uuid());
            names.next().put(Json.quoted(root.name()));
            if (sharing != null && root.hasTrait(sharing.id())) {
                shares.next().put(count);
            }
            count++;
        }
        return new JsonBytes().put("{\"roots\":").put(uuids.put(']').toByteArray())
                .put(",\"names\":").put(names.put(']').toByteArray())
                .put(",\"sharing\":").put(shares.put(']').toByteArray()).put('}').toByteArray();
    }

    private static boolean isAsked(ProviderTree tree, ScenarioQuery.Roots ask, @Nullable NameCatalogue.Entry trait) {
        Provider root = tree.root();
        return (ask.names() == null || ask.names().contains(root.name()))
                && (ask.aggregate() == null || root.isIn(ask.aggregate()))
                && (trait == null || tree.nodes().stream().anyMatch(node -> node.hasTrait(trait.id())));
    }

    /** Writes the members of a provider that {@link TreeWriter} does not write. */
    private static void writeDetails(FleetView of, Provider provider, JsonBytes out) {
        out.put(",\"name\":").put(Json.quoted(provider.name())).put(",\"generation\":").put(provider.generation())
                .put(",\"inventories\":")
                .put(Json.write(json -> InventoryJson.write(json, provider.inventories(), of.resourceClasses())))
                .put(",\"aggregates\":[");
        for (UUID aggregate : provider.aggregates()) {
            out.next().put(aggregate);
        }
        out.put(']');
    }
}
