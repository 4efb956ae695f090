package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.answer.AnswerForm.Requests;
import io.berth.placement.candidate.search.GroupPart;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.Json;
import java.util.Arrays;

/** Writes allocation requests of one query. What it writes depends on the query and the providers' uuids alone. */
public final class RequestWriter {
    private final ResolvedQuery query;
    private final Requests form;
    private final byte[][] classNames;
    private final byte[][] suffixes;
    private final long[] amounts;
    /** For each part the positions of its classes in {@code amounts}. */
    private final int[][] columns;

    /** As the newest microversion tells them. */
    public RequestWriter(FleetView view, ResolvedQuery query) {
        this(view, query, Requests.OBJECT_WITH_MAPPINGS);
    }

    RequestWriter(FleetView view, ResolvedQuery query, Requests form) {
        this.query = query;
        this.form = form;
        int[] classIds = query.classIds();
        this.classNames = new byte[classIds.length][];
        for (int i = 0; i < classIds.length; i++) {
            classNames[i] = Json.quoted(view.resourceClasses().name(classIds[i]));
        }
        this.suffixes = new byte[query.parts().length][];
        for (int i = 0; i < suffixes.length; i++) {
            suffixes[i] = Json.quoted(query.parts()[i].suffix());
        }
        this.amounts = new long[classIds.length];
        this.columns = new int[suffixes.length][];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = Arrays.stream(query.parts()[i].classIds())
                    .map(classId -> Arrays.binarySearch(classIds, classId)).toArray();
        }
    }

    /** @param providers one for each part of the query */
    public void write(Provider[] providers, JsonBytes out) {
        boolean isList = form == Requests.LIST;
        out.put("{\"allocations\":").put(isList ? '[' : '{');
        for (int part = 0; part < providers.length; part++) {
            if (query.isFirstTaking(part, providers)) {
                writeAllocation(part, providers, isList, out.next());
            }
        }
        out.put(isList ? ']' : '}');
        if (form == Requests.OBJECT_WITH_MAPPINGS) {
            writeMappings(providers, out);
        }
        out.put('}');
    }

    private void writeAllocation(int part, Provider[] providers, boolean isList, JsonBytes out) {
        Provider provider = providers[part];
        if (isList) {
            out.put("{\"resource_provider\":{\"uuid\":").put(provider.uuid()).put("},\"resources\":{");
        } else {
            out.put(provider.uuid()).put(":{\"resources\":{");
        }
        Arrays.fill(amounts, 0);
        for (int other = part; other < providers.length; other++) {
            if (providers[other] == provider) {
                GroupPart wanted = query.parts()[other];
                for (int i = 0; i < wanted.classIds().length; i++) {
                    amounts[columns[other][i]] += wanted.amounts()[i];
                }
            }
        }
        for (int i = 0; i < amounts.length; i++) {
            if (amounts[i] > 0) {
                out.next().put(classNames[i]).put(':').put(amounts[i]);
            }
        }
        out.put("}}");
    }

    private void writeMappings(Provider[] providers, JsonBytes out) {
        out.put(",\"mappings\":{");
        int unsuffixed = query.unsuffixedCount();
        if (unsuffixed > 0) {
            out.put("\"\":[");
            for (int part = 0; part < unsuffixed; part++) {
                if (!isAmong(providers, part)) {
                    out.next().put(providers[part].uuid());
                }
            }
            out.put(']');
        }
        for (int part = unsuffixed; part < providers.length; part++) {
            out.next().put(suffixes[part]).put(":[").put(providers[part].uuid()).put(']');
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
}
