package io.berth.scheduler.placement.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.ReleasedConsumersResult;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.text.Uuids;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Parses placement's JSON responses token by token: a response for 1,000 hosts has almost a megabyte, and a JSON tree
 * of it would cost more than the decision. Unknown members are skipped, so that placement may add members, except by
 * {@link #parseHolding}. An absent member counts as empty or null, unless a method refuses that.
 */
public final class CandidatesParser {
    /**
     * Creates parsers for bodies whose field names are uuids. Does not intern the names, because they do not recur.
     * Accepts many names in one hash bucket, which Jackson would otherwise reject as an attack.
     */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .build();

    private static final String SHARING_TRAIT = "MISC_SHARES_VIA_AGGREGATE";

    private CandidatesParser() {}

    /**
     * Parses the response to GET /allocation_candidates at 1.36.
     *
     * @throws IOException for a body of another form
     */
    public static AllocationCandidates parseCandidates(byte[] body) throws IOException {
        try (JsonParser json = JSON.createParser(body)) {
            json.nextToken();
            return parseCandidates(json);
        }
    }

    /**
     * Parses candidates that are an object within another response.
     *
     * @param json positioned at the start of the object; at the end of the object when the method returns
     */
    public static AllocationCandidates parseCandidates(JsonParser json) throws IOException {
        List<AllocationRequest> requests = List.of();
        Map<String, ProviderSummary> summaries = Map.of();
        expect(json.currentToken(), JsonToken.START_OBJECT);
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "allocation_requests" -> requests = requests(json);
                case "provider_summaries" -> summaries = summaries(json);
                default -> json.skipChildren();
            }
        }
        return new AllocationCandidates(requests, summaries);
    }

    /**
     * Parses the response to GET /allocations/{consumer} at 1.28 or later.
     *
     * @throws IOException for a body of another form
     */
    public static AllocationsResult.Allocations parseAllocations(byte[] body) throws IOException {
        try (JsonParser json = JSON.createParser(body)) {
            Map<String, Map<String, Long>> allocations = Map.of();
            Long generation = null;
            String project = null;
            String user = null;
            expect(json.nextToken(), JsonToken.START_OBJECT);
            for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
                json.nextToken();
                switch (member) {
                    case "allocations" -> allocations = allocations(json);
                    case "consumer_generation" -> generation =
                            json.currentToken() == JsonToken.VALUE_NULL ? null : json.getLongValue();
                    case "project_id" -> project = json.getValueAsString();
                    case "user_id" -> user = json.getValueAsString();
                    default -> json.skipChildren();
                }
            }
            return new AllocationsResult.Allocations(allocations, generation, project, user);
        }
    }

    /**
     * Parses the response to GET /resource_providers. Returns the name of each provider by uuid.
     *
     * @throws IOException for a body of another form
     */
    public static Map<String, String> parseProviderNames(byte[] body) throws IOException {
        Map<String, String> names = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(body)) {
            expect(json.nextToken(), JsonToken.START_OBJECT);
            for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                if (!member.equals("resource_providers")) {
                    json.skipChildren();
                    continue;
                }
                expect(value, JsonToken.START_ARRAY);
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    providerName(json, names);
                }
            }
        }
        return names;
    }

    /**
     * Parses the response to GET /berth/v1/released_consumers, which must have the member {@code until}.
     *
     * @throws IOException for any other body
     */
    public static ReleasedConsumersResult.Received parseReleased(byte[] body) throws IOException {
        String until = null;
        boolean complete = false;
        List<UUID> consumers = new ArrayList<>();
        try (JsonParser json = JSON.createParser(body)) {
            expect(json.nextToken(), JsonToken.START_OBJECT);
            for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                switch (member) {
                    case "until" -> until = json.getValueAsString();
                    case "complete" -> complete = json.getBooleanValue();
                    case "consumers" -> {
                        expect(value, JsonToken.START_ARRAY);
                        uuids(json, consumers);
                    }
                    default -> json.skipChildren();
                }
            }
        }
        if (until == null) {
            throw new IOException("the response has no member 'until'");
        }
        return new ReleasedConsumersResult.Received(until, complete, consumers);
    }

    /**
     * Parses the response to POST /berth/v1/holding_consumers, which must have only the member {@code holding}. Returns
     * the consumers that hold allocations.
     *
     * @throws IOException for any other body
     */
    public static Set<UUID> parseHolding(byte[] body) throws IOException {
        Set<UUID> holding = new HashSet<>();
        try (JsonParser json = JSON.createParser(body)) {
            expect(json.nextToken(), JsonToken.START_OBJECT);
            if (!"holding".equals(json.nextFieldName())) {
                throw new IOException("the response does not begin with the member 'holding'");
            }
            expect(json.nextToken(), JsonToken.START_ARRAY);
            uuids(json, holding);
            expect(json.currentToken(), JsonToken.END_ARRAY);
            expect(json.nextToken(), JsonToken.END_OBJECT);
        }
        return holding;
    }

    private static void uuids(JsonParser json, Collection<UUID> uuids) throws IOException {
        while (json.nextToken() == JsonToken.VALUE_STRING) {
            UUID uuid = Uuids.find(json.getText());
            if (uuid != null) {
                uuids.add(uuid);
            }
        }
    }

    private static void providerName(JsonParser json, Map<String, String> names) throws IOException {
        String uuid = null;
        String name = null;
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "uuid" -> uuid = json.getValueAsString();
                case "name" -> name = json.getValueAsString();
                default -> json.skipChildren();
            }
        }
        if (uuid != null && name != null) {
            names.put(uuid, name);
        }
    }

    private static List<AllocationRequest> requests(JsonParser json) throws IOException {
        expect(json.currentToken(), JsonToken.START_ARRAY);
        List<AllocationRequest> requests = new ArrayList<>();
        while (json.nextToken() == JsonToken.START_OBJECT) {
            Map<String, Map<String, Long>> allocations = Map.of();
            Map<String, List<String>> mappings = Map.of();
            for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
                json.nextToken();
                switch (member) {
                    case "allocations" -> allocations = allocations(json);
                    case "mappings" -> mappings = mappings(json);
                    default -> json.skipChildren();
                }
            }
            requests.add(new AllocationRequest(allocations, mappings));
        }
        return requests;
    }

    private static Map<String, Map<String, Long>> allocations(JsonParser json) throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT);
        Map<String, Map<String, Long>> allocations = LinkedHashMap.newLinkedHashMap(2);
        for (String provider = json.nextFieldName(); provider != null; provider = json.nextFieldName()) {
            expect(json.nextToken(), JsonToken.START_OBJECT);
            Map<String, Long> amounts = Map.of();
            for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
                json.nextToken();
                if (member.equals("resources")) {
                    amounts = amounts(json);
                } else {
                    json.skipChildren();
                }
            }
            allocations.put(provider, amounts);
        }
        return allocations;
    }

    static Map<String, Long> amounts(JsonParser json) throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT);
        Map<String, Long> amounts = LinkedHashMap.newLinkedHashMap(3);
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            amounts.put(name, json.nextLongValue(0));
        }
        return amounts;
    }

    private static Map<String, List<String>> mappings(JsonParser json) throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT);
        Map<String, List<String>> mappings = LinkedHashMap.newLinkedHashMap(1);
        for (String suffix = json.nextFieldName(); suffix != null; suffix = json.nextFieldName()) {
            expect(json.nextToken(), JsonToken.START_ARRAY);
            List<String> providers = new ArrayList<>(1);
            while (json.nextToken() == JsonToken.VALUE_STRING) {
                providers.add(json.getText());
            }
            mappings.put(suffix, providers);
        }
        return mappings;
    }

    private static Map<String, ProviderSummary> summaries(JsonParser json) throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT);
        Map<String, ProviderSummary> summaries = new LinkedHashMap<>();
        for (String uuid = json.nextFieldName(); uuid != null; uuid = json.nextFieldName()) {
            expect(json.nextToken(), JsonToken.START_OBJECT);
            summaries.put(uuid, summary(json, uuid));
        }
        return summaries;
    }

    private static ProviderSummary summary(JsonParser json, String uuid) throws IOException {
        Map<String, ProviderSummary.Usage> resources = Map.of();
        String root = uuid;
        boolean sharing = false;
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "resources" -> resources = usages(json);
                case "root_provider_uuid" -> {
                    // A root shares the string of its own uuid.
                    String text = json.getValueAsString();
                    root = text == null || text.equals(uuid) ? uuid : text;
                }
                case "traits" -> sharing = namesSharing(json);
                default -> json.skipChildren();
            }
        }
        return new ProviderSummary(uuid, root, resources, sharing);
    }

    static Map<String, ProviderSummary.Usage> usages(JsonParser json) throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT);
        Map<String, ProviderSummary.Usage> usages = LinkedHashMap.newLinkedHashMap(3);
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            expect(json.nextToken(), JsonToken.START_OBJECT);
            long capacity = 0;
            long used = 0;
            for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
                switch (member) {
                    case "capacity" -> capacity = amount(json);
                    case "used" -> used = amount(json);
                    default -> {
                        json.nextToken();
                        json.skipChildren();
                    }
                }
            }
            usages.put(name, new ProviderSummary.Usage(capacity, used));
        }
        return usages;
    }

    /**
     * Reads an amount. A number beyond the range of a long, which a total times an allocation ratio may be, becomes
     * Long.MAX_VALUE or Long.MIN_VALUE. A value of another type counts as 0.
     */
    private static long amount(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.VALUE_NUMBER_INT) {
            return 0;
        }
        return json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? (json.getBigIntegerValue().signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE)
                : json.getLongValue();
    }

    /**
     * Returns whether an array of traits contains MISC_SHARES_VIA_AGGREGATE. Compares lengths first: a provider has
     * hundreds of traits, so that strings are created only for likely matches.
     */
    static boolean namesSharing(JsonParser json) throws IOException {
        expect(json.currentToken(), JsonToken.START_ARRAY);
        boolean sharing = false;
        while (json.nextToken() == JsonToken.VALUE_STRING) {
            sharing |= json.getTextLength() == SHARING_TRAIT.length() && json.getText().equals(SHARING_TRAIT);
        }
        return sharing;
    }

    static void expect(JsonToken found, JsonToken wanted) throws IOException {
        if (found != wanted) {
            throw new IOException("placement's response has " + found + " instead of " + wanted);
        }
    }
}
