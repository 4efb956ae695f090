package io.berth.placement.candidate.response;

import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * The body of a response of {@code GET /allocation_candidates}. An allocation request is written as soon as the search
 * has found it; the summaries of the providers are written at the end.
 */
public final class CandidatesResponse implements CandidatesBody {
    /** The body without any candidates. */
    static final byte[] EMPTY = Json.writeObject(json -> {
        json.writeArrayFieldStart("allocation_requests");
        json.writeEndArray();
        json.writeObjectFieldStart("provider_summaries");
        json.writeEndObject();
    });

    private final FleetView view;
    private final ResolvedQuery query;
    private final long bytesMax;
    private final JsonBytes out = new JsonBytes();
    private final ProviderSummaries summaries;
    private final RequestWriter requests;
    /** The trees that requests take from, in the order of the search; empty if summaries show only single providers. */
    private final Set<ProviderTree> trees = new LinkedHashSet<>();
    /** The providers that requests take from; empty if summaries show whole trees. */
    private final Set<Provider> summarizedProviders = Collections.newSetFromMap(new IdentityHashMap<>());
    /**
     * The latest tree that was looked up in {@code trees}, so that successive providers of one tree need one look-up;
     * null before the first.
     */
    private @Nullable ProviderTree lastTree;
    private long summaryCount;

    /**
     * Searches, and returns the body in the form of the newest microversion; null if {@code timeIsUp} returns true
     * before the search ends. Call it on a worker thread.
     *
     * @throws ApiException 400 if the query names a resource class or trait that does not exist, if the request groups
     *         can be combined in too many ways, or if the response would exceed {@code bytesMax}
     */
    public static @Nullable byte[] write(
            FleetView view, CandidateQuery query, CandidateOptions options, @Nullable RandomGenerator random,
            long bytesMax, BooleanSupplier timeIsUp) {
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        if (resolved == null) {
            return EMPTY;
        }
        var body = new CandidatesResponse(view, resolved, ResponseForm.of(Microversion.MAX), bytesMax);
        SearchTask.Outcome outcome = new SearchTask(view, resolved, options, random, body).finish(timeIsUp);
        return outcome == null ? null : outcome.bytes(bytesMax).toByteArray();
    }

    /** @param bytesMax limit of the response, in bytes; see {@link CandidatesBody#isTooLarge} */
    CandidatesResponse(FleetView view, ResolvedQuery query, ResponseForm form, long bytesMax) {
        this.view = view;
        this.query = query;
        this.bytesMax = bytesMax;
        this.requests = new RequestWriter(view, query, form.requests());
        this.summaries = new ProviderSummaries(view, form.summaries(), query.classIds());
        out.put("{\"allocation_requests\":[");
    }

    @Override
    public boolean isTooLarge() {
        return out.length() > bytesMax;
    }

    @Override
    public long summaryCount() {
        return summaryCount;
    }

    @Override
    public boolean receive(ProviderTree anchor, Provider[] providers) {
        requests.write(providers, out.beginElement());
        for (int part = 0; part < providers.length; part++) {
            if (query.isFirstPartToTakeFrom(part, providers)) {
                addToSummaries(anchor, providers[part]);
            }
        }
        return !isTooLarge();
    }

    private void addToSummaries(ProviderTree anchor, Provider provider) {
        if (!query.nested()) {
            summaryCount += summarizedProviders.add(provider) ? 1 : 0;
            return;
        }
        ProviderTree tree = provider.rootId() == anchor.root().id() ? anchor : view.treeOf(provider);
        if (tree != lastTree) {
            summaryCount += trees.add(tree) ? tree.size() : 0;
            lastTree = tree;
        }
    }

    @Override
    public JsonBytes finish() {
        out.put("],\"provider_summaries\":{");
        for (Provider provider : summarizedProviders) {
            summaries.write(provider, out.beginElement());
        }
        for (ProviderTree tree : trees) {
            for (int node = 0; node < tree.size(); node++) {
                summaries.write(tree.node(node), out.beginElement());
            }
        }
        return out.put("}}");
    }
}
