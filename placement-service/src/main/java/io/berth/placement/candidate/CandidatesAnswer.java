package io.berth.placement.candidate;

import io.berth.placement.candidate.AnswerForm.Requests;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.Json;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The body of the answer, written while the candidates are found: each allocation request at once, the summaries of all
 * providers concerned at the end.
 */
final class CandidatesAnswer implements CandidateSearch.Sink {
    static final byte[] EMPTY = Json.write(json -> {
        json.writeStartObject();
        json.writeArrayFieldStart("allocation_requests");
        json.writeEndArray();
        json.writeObjectFieldStart("provider_summaries");
        json.writeEndObject();
        json.writeEndObject();
    });

    private final FleetView view;
    private final ResolvedQuery query;
    private final AnswerForm form;
    private final long bytesMax;
    private final JsonBytes out = new JsonBytes();
    private final ProviderSummaries summaries;
    private final int[] classIds;
    private final byte[][] classNames;
    private final byte[][] suffixes;
    private final long[] amounts;
    /** Trees taken from, where whole trees are shown; else the providers taken from. */
    private final Set<ProviderTree> trees = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Provider> taken = Collections.newSetFromMap(new IdentityHashMap<>());
    private ProviderTree lastTree;
    private boolean isFirst = true;

    /** @param bytesMax a larger answer is not written to its end */
    CandidatesAnswer(FleetView view, ResolvedQuery query, AnswerForm form, long bytesMax) {
        this.view = view;
        this.query = query;
        this.form = form;
        this.bytesMax = bytesMax;
        this.classIds = Arrays.stream(query.parts()).flatMapToInt(part -> Arrays.stream(part.classIds())).sorted().distinct().toArray();
        this.classNames = new byte[classIds.length][];
        for (int i = 0; i < classIds.length; i++) {
            classNames[i] = Json.quoted(view.resourceClasses().name(classIds[i]));
        }
        this.suffixes = new byte[query.parts().length][];
        for (int i = 0; i < suffixes.length; i++) {
            suffixes[i] = Json.quoted(query.parts()[i].group().suffix());
        }
        this.amounts = new long[classIds.length];
        this.summaries = new ProviderSummaries(view, form.summaries(), classIds);
        out.put("{\"allocation_requests\":[");
    }

    boolean isTooLarge() {
        return out.length() > bytesMax;
    }

    /** How many summaries {@link #finish} will write. */
    long summaryCount() {
        long count = taken.size();
        for (ProviderTree tree : trees) {
            count += tree.size();
        }
        return count;
    }

    @Override
    public boolean take(ProviderTree anchor, Provider[] providers) {
        if (!isFirst) {
            out.put(',');
        }
        isFirst = false;
        boolean isList = form.requests() == Requests.LIST;
        out.put("{\"allocations\":").put(isList ? '[' : '{');
        boolean first = true;
        for (int part = 0; part < providers.length; part++) {
            if (query.parts()[part].classIds().length > 0 && !isTakenBefore(part, providers)) {
                if (!first) {
                    out.put(',');
                }
                first = false;
                writeAllocation(part, providers, isList);
                remember(anchor, providers[part]);
            }
        }
        out.put(isList ? ']' : '}');
        if (form.requests() == Requests.OBJECT_WITH_MAPPINGS) {
            writeMappings(providers);
        }
        out.put('}');
        return !isTooLarge();
    }

    private boolean isTakenBefore(int part, Provider[] providers) {
        for (int before = 0; before < part; before++) {
            if (providers[before] == providers[part] && query.parts()[before].classIds().length > 0) {
                return true;
            }
        }
        return false;
    }

    private void writeAllocation(int part, Provider[] providers, boolean isList) {
        Provider provider = providers[part];
        if (isList) {
            out.put("{\"resource_provider\":{\"uuid\":").put(provider.uuid()).put("},\"resources\":{");
        } else {
            out.put(provider.uuid()).put(":{\"resources\":{");
        }
        Arrays.fill(amounts, 0);
        for (int other = part; other < providers.length; other++) {
            if (providers[other] == provider) {
                Part wanted = query.parts()[other];
                for (int i = 0; i < wanted.classIds().length; i++) {
                    amounts[Arrays.binarySearch(classIds, wanted.classIds()[i])] += wanted.amounts()[i];
                }
            }
        }
        boolean first = true;
        for (int i = 0; i < amounts.length; i++) {
            if (amounts[i] > 0) {
                if (!first) {
                    out.put(',');
                }
                first = false;
                out.put(classNames[i]).put(':').put(amounts[i]);
            }
        }
        out.put("}}");
    }

    private void writeMappings(Provider[] providers) {
        out.put(",\"mappings\":{");
        int unsuffixed = query.unsuffixedCount();
        if (unsuffixed > 0) {
            out.put("\"\":[");
            for (int part = 0; part < unsuffixed; part++) {
                if (!isAmong(providers, part)) {
                    if (part > 0) {
                        out.put(',');
                    }
                    out.put(providers[part].uuid());
                }
            }
            out.put(']');
        }
        for (int part = unsuffixed; part < providers.length; part++) {
            if (part > 0) {
                out.put(',');
            }
            out.put(suffixes[part]).put(":[").put(providers[part].uuid()).put(']');
        }
        out.put('}');
    }

    private static boolean isAmong(Provider[] providers, int end) {
        for (int i = 0; i < end; i++) {
            if (providers[i] == providers[end]) {
                return true;
            }
        }
        return false;
    }

    private void remember(ProviderTree anchor, Provider provider) {
        if (!query.nested()) {
            taken.add(provider);
            return;
        }
        ProviderTree tree = provider.rootId() == anchor.root().id() ? anchor : view.treeOf(provider);
        if (tree != lastTree) {
            trees.add(tree);
            lastTree = tree;
        }
    }

    /** The whole body. The answer takes nothing more. */
    byte[] finish() {
        out.put("],\"provider_summaries\":{");
        boolean first = true;
        for (Provider provider : taken) {
            writeSummary(provider, first);
            first = false;
        }
        for (ProviderTree tree : trees) {
            for (int node = 0; node < tree.size(); node++) {
                writeSummary(tree.node(node), first);
                first = false;
            }
        }
        return out.put("}}").toByteArray();
    }

    private void writeSummary(Provider provider, boolean first) {
        if (!first) {
            out.put(',');
        }
        summaries.write(provider, out);
    }
}
