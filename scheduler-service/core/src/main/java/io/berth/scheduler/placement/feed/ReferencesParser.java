package io.berth.scheduler.placement.feed;

import static io.berth.scheduler.placement.feed.CandidatesParser.expect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.scheduler.placement.candidate.FleetPosition;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.placement.candidate.QueryParts;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses the responses of Berth's own routes for candidates and trees, token by token. Unknown members are skipped. */
public final class ReferencesParser {
    /** Creates parsers that intern field names, so that all providers share the strings of resource classes. */
    private static final JsonFactory JSON = new JsonFactory();

    private final JsonParser json;
    private @Nullable String replica;
    private long position = -1;
    private @Nullable List<QueryParts.Part> parts;
    private List<String> classes = List.of();
    /** The member {@code trees} of a response with references: base64 of two longs per tree, see {@link References}. */
    private @Nullable byte[] references;
    private Map<Integer, long[][]> requests = Map.of();
    /** Whole trees: the member {@code changed} of a response with references, or {@code trees} of any other. */
    private @Nullable List<ReceivedTree> trees;

    private ReferencesParser(JsonParser json) {
        this.json = json;
    }

    /**
     * Parses the response to GET /berth/v1/candidates.
     *
     * @throws IOException for any other body
     */
    public static References parse(byte[] body) throws IOException {
        try (JsonParser json = JSON.createParser(body)) {
            json.nextToken();
            return parse(json);
        }
    }

    /**
     * Parses references that are an object within another response.
     *
     * @param json positioned at the start of the object; at the end of the object when the method returns
     */
    public static References parse(JsonParser json) throws IOException {
        return new ReferencesParser(json).references();
    }

    /** Parses an array of whole trees within another response. */
    public static List<ReceivedTree> parseTrees(JsonParser json) throws IOException {
        var parser = new ReferencesParser(json);
        return parser.list(parser::tree);
    }

    /**
     * Parses the response to POST /berth/v1/provider_trees.
     *
     * @throws IOException for any other body
     */
    public static Trees parseTrees(byte[] body) throws IOException {
        try (JsonParser json = JSON.createParser(body)) {
            json.nextToken();
            return new ReferencesParser(json).trees();
        }
    }

    /**
     * Whole trees, in any order.
     *
     * @param fleetPosition the last change that placement had applied when it responded
     */
    public record Trees(FleetPosition fleetPosition, List<ReceivedTree> trees) {}

    private References references() throws IOException {
        read();
        if (parts == null || references == null || trees == null) {
            throw incomplete();
        }
        if (references.length % (2 * Long.BYTES) != 0) {
            throw new IOException("placement's references to trees are not a multiple of 16 bytes");
        }
        var answer = new References(
                readFleetPosition(), new QueryParts(parts, classes), ByteBuffer.wrap(references), requests, trees);
        for (Map.Entry<Integer, long[][]> ofTree : requests.entrySet()) {
            boolean fits = ofTree.getKey() >= 0 && ofTree.getKey() < answer.count()
                    && Arrays.stream(ofTree.getValue()).allMatch(request -> request.length == parts.size());
            if (!fits) {
                throw new IOException("placement's response has requests that do not fit its trees or parts");
            }
        }
        return answer;
    }

    private Trees trees() throws IOException {
        read();
        if (trees == null) {
            throw incomplete();
        }
        return new Trees(readFleetPosition(), trees);
    }

    private FleetPosition readFleetPosition() throws IOException {
        if (replica == null || position < 0) {
            throw incomplete();
        }
        return new FleetPosition(replica, position);
    }

    private static IOException incomplete() {
        return new IOException("placement's response lacks a required member");
    }

    private void read() throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT);
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            JsonToken value = json.nextToken();
            switch (member) {
                case "replica" -> replica = json.getValueAsString();
                case "position" -> position = json.getValueAsLong(-1);
                case "parts" -> parts = list(this::part);
                case "classes" -> classes = list(json::getValueAsString);
                case "requests" -> requests = requests();
                case "changed" -> trees = list(this::tree);
                case "trees" -> {
                    if (value == JsonToken.VALUE_STRING) {
                        references = json.getBinaryValue();
                    } else {
                        trees = list(this::tree);
                    }
                }
                default -> json.skipChildren();
            }
        }
    }

    private interface Element<T> {
        T read() throws IOException;
    }

    private <T> List<T> list(Element<T> element) throws IOException {
        expect(json.currentToken(), JsonToken.START_ARRAY);
        List<T> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            list.add(element.read());
        }
        return list;
    }

    private QueryParts.Part part() throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT);
        String group = "";
        Map<String, Long> resources = Map.of();
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "group" -> group = json.getValueAsString();
                case "resources" -> resources = CandidatesParser.amounts(json);
                default -> json.skipChildren();
            }
        }
        return new QueryParts.Part(group, resources);
    }

    /**
     * Parses {@code [[tree, [[id, ...], ...]], ...]}: the index of a tree, then its allocation requests, each an array
     * of provider ids, one for each part of the query.
     */
    private Map<Integer, long[][]> requests() throws IOException {
        expect(json.currentToken(), JsonToken.START_ARRAY);
        Map<Integer, long[][]> byTree = new HashMap<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json.currentToken(), JsonToken.START_ARRAY);
            int tree = json.nextIntValue(-1);
            json.nextToken();
            byTree.put(tree, list(this::ids).toArray(long[][]::new));
            expect(json.nextToken(), JsonToken.END_ARRAY);
        }
        return byTree;
    }

    private long[] ids() throws IOException {
        expect(json.currentToken(), JsonToken.START_ARRAY);
        long[] ids = new long[4];
        int count = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            ids = count == ids.length ? Arrays.copyOf(ids, 2 * count) : ids;
            ids[count++] = json.getLongValue();
        }
        return Arrays.copyOf(ids, count);
    }

    private ReceivedTree tree() throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT);
        Long id = null;
        Long version = null;
        List<Provider> providers = List.of();
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "id" -> id = json.getLongValue();
                case "version" -> version = json.getLongValue();
                case "providers" -> providers = list(this::provider);
                default -> json.skipChildren();
            }
        }
        if (id == null || version == null || providers.isEmpty()) {
            throw incomplete();
        }
        String root = providers.getFirst().uuid();
        return new ReceivedTree(
                id,
                version,
                providers.stream().mapToLong(Provider::id).toArray(),
                new ProviderTree(root, providers.stream()
                        .map(each -> new ProviderSummary(each.uuid(), root, each.resources(), each.sharing()))
                        .toList()));
    }

    private record Provider(long id, String uuid, Map<String, ProviderSummary.Usage> resources, boolean sharing) {}

    private Provider provider() throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT);
        Long id = null;
        String uuid = null;
        Map<String, ProviderSummary.Usage> resources = Map.of();
        boolean sharing = false;
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "id" -> id = json.getLongValue();
                case "uuid" -> uuid = json.getValueAsString();
                case "resources" -> resources = Map.copyOf(CandidatesParser.usages(json));
                case "traits" -> sharing = CandidatesParser.namesSharing(json);
                default -> json.skipChildren();
            }
        }
        if (id == null || uuid == null) {
            throw incomplete();
        }
        return new Provider(id, uuid, resources, sharing);
    }
}
