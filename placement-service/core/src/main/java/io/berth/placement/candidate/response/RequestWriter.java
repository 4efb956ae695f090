package io.berth.placement.candidate.response;

import io.berth.placement.candidate.response.ResponseForm.Requests;
import io.berth.placement.candidate.search.GroupPart;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.Json;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Writes the allocation requests of one query. The JSON of a request depends only on the query and the uuids of its
 * providers. Therefore the first request that is served by a single provider becomes a template for all further
 * requests of a single provider: only the uuid is replaced. Not thread-safe.
 */
public final class RequestWriter {
    private final ResolvedQuery query;
    private final Requests form;
    /** The names of the query's resource classes as JSON strings, in ascending order of the classes' ids. */
    private final byte[][] classNames;
    /** The suffix of each part as a JSON string. */
    private final byte[][] suffixes;
    /** A buffer for the amounts of one allocation, in the order of the query's classes. */
    private final long[] amounts;
    /** For each part, the indexes of its classes in {@code amounts}. */
    private final int[][] columns;
    /**
     * Collects the offsets of uuids in the request that is being written; null if this request does not become the
     * template.
     */
    private @Nullable List<Integer> uuidOffsets;
    /** The template for requests of a single provider; null until the first such request. */
    private @Nullable Template singleProviderTemplate;

    /**
     * A rendered request.
     *
     * @param json the rendered bytes, whose uuids are overwritten by each use
     * @param uuidOffsets the offsets of the uuids in {@code json}
     */
    private record Template(byte[] json, int[] uuidOffsets) {
        void write(UUID uuid, JsonBytes out) {
            byte[] text = uuid.toString().getBytes(StandardCharsets.ISO_8859_1);
            for (int offset : uuidOffsets) {
                System.arraycopy(text, 0, json, offset, text.length);
            }
            out.put(json);
        }
    }

    /** Creates a writer for the form of the newest microversion. */
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

    /**
     * Writes the allocation request that these providers serve, as a JSON object.
     *
     * @param providers the provider of each part of the query
     */
    public void write(Provider[] providers, JsonBytes out) {
        if (!areAllSame(providers)) {
            writeRequest(providers, out);
            return;
        }
        if (singleProviderTemplate == null) {
            singleProviderTemplate = template(providers);
        }
        singleProviderTemplate.write(providers[0].uuid(), out);
    }

    private static boolean areAllSame(Provider[] providers) {
        for (Provider provider : providers) {
            if (provider != providers[0]) {
                return false;
            }
        }
        return true;
    }

    private Template template(Provider[] providers) {
        List<Integer> offsets = new ArrayList<>();
        uuidOffsets = offsets;
        JsonBytes json = new JsonBytes();
        writeRequest(providers, json);
        uuidOffsets = null;
        return new Template(json.toByteArray(), offsets.stream().mapToInt(Integer::intValue).toArray());
    }

    /** Writes the request without the template. */
    private void writeRequest(Provider[] providers, JsonBytes out) {
        boolean isList = form == Requests.LIST;
        out.put("{\"allocations\":").put(isList ? '[' : '{');
        for (int part = 0; part < providers.length; part++) {
            if (query.isFirstPartToTakeFrom(part, providers)) {
                writeAllocation(part, providers, isList, out.beginElement());
            }
        }
        out.put(isList ? ']' : '}');
        if (form == Requests.OBJECT_WITH_MAPPINGS) {
            writeMappings(providers, out);
        }
        out.put('}');
    }

    /**
     * Writes the allocation on the provider of this part: the sum of the amounts of this part and of all later parts
     * with the same provider.
     */
    private void writeAllocation(int part, Provider[] providers, boolean isList, JsonBytes out) {
        Provider provider = providers[part];
        if (isList) {
            putUuid(provider, out.put("{\"resource_provider\":{\"uuid\":")).put("},\"resources\":{");
        } else {
            putUuid(provider, out).put(":{\"resources\":{");
        }
        Arrays.fill(amounts, 0);
        for (int laterPart = part; laterPart < providers.length; laterPart++) {
            if (providers[laterPart] == provider) {
                GroupPart groupPart = query.parts()[laterPart];
                for (int i = 0; i < groupPart.classIds().length; i++) {
                    amounts[columns[laterPart][i]] += groupPart.amounts()[i];
                }
            }
        }
        for (int i = 0; i < amounts.length; i++) {
            if (amounts[i] > 0) {
                out.beginElement().put(classNames[i]).put(':').put(amounts[i]);
            }
        }
        out.put("}}");
    }

    /**
     * Writes the providers of each group, by suffix. A provider that serves several parts of the unsuffixed group is
     * listed once.
     */
    private void writeMappings(Provider[] providers, JsonBytes out) {
        out.put(",\"mappings\":{");
        int unsuffixed = query.unsuffixedCount();
        if (unsuffixed > 0) {
            out.put("\"\":[");
            for (int part = 0; part < unsuffixed; part++) {
                if (!occursBefore(providers, part)) {
                    putUuid(providers[part], out.beginElement());
                }
            }
            out.put(']');
        }
        for (int part = unsuffixed; part < providers.length; part++) {
            putUuid(providers[part], out.beginElement().put(suffixes[part]).put(":[")).put(']');
        }
        out.put('}');
    }

    /** Writes the provider's uuid in quotes, and notes its offset if the request becomes the template. */
    private JsonBytes putUuid(Provider provider, JsonBytes out) {
        if (uuidOffsets != null) {
            // The uuid begins after a quote, which is 1 byte.
            uuidOffsets.add((int) out.length() + 1);
        }
        return out.put(provider.uuid());
    }

    private static boolean occursBefore(Provider[] providers, int end) {
        for (int i = 0; i < end; i++) {
            if (providers[i] == providers[end]) {
                return true;
            }
        }
        return false;
    }
}
