package io.berth.placement.audit;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.model.text.NearNames;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import io.berth.placement.query.UuidText;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Parses the body of {@code POST /berth/v1/audit} token by token instead of as a tree, because the body may have the
 * largest permitted size.
 */
final class AuditBody {
    private static final List<String> MEMBERS = List.of(
            "kinds", "limit", "known_consumers", "known_from", "known_until", "settled_seconds", "apply");
    /** The most finding ids that {@code apply} may list. */
    private static final int IDS_MAX = FindingKind.values().length * AuditRequest.PER_KIND_MAX;

    private final JsonParser json;
    private final Set<String> seen = new HashSet<>();
    private Set<FindingKind> kinds = EnumSet.allOf(FindingKind.class);
    private int perKindMax = AuditRequest.PER_KIND_DEFAULT;
    /** {@code known}, {@code from} and {@code until}: see {@link AuditRequest.KnownConsumers}; null if absent. */
    private @Nullable UUID[] known;
    private @Nullable UUID from;
    private @Nullable UUID until;
    private int settledSeconds = AuditRequest.SETTLED_SECONDS_DEFAULT;
    private AuditRequest.Apply apply = new AuditRequest.Apply.Nothing();

    private AuditBody(JsonParser json) {
        this.json = json;
    }

    /**
     * Parses the body. A body of the largest size takes about a tenth of a second, so call this on a worker thread.
     *
     * @throws ApiException 400 if the body is invalid
     */
    static AuditRequest parse(@Nullable byte[] body) {
        if (body == null || body.length == 0) {
            throw ApiException.badRequest("Malformed JSON: the body is empty");
        }
        try (JsonParser json = Json.parser(body)) {
            return new AuditBody(json).parse();
        } catch (JsonProcessingException e) {
            throw Json.malformed(e);
        } catch (IOException e) {
            throw ApiException.badRequest("Malformed JSON: not UTF-8 text");
        }
    }

    private AuditRequest parse() throws IOException {
        Json.require(json.nextToken() == JsonToken.START_OBJECT, "the body is not an object");
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            member(json.currentName());
        }
        Json.require(json.nextToken() == null, "something follows the object");
        Json.require(known != null || from == null && until == null, "a range without known_consumers");
        Json.require(known == null || kinds.contains(FindingKind.UNKNOWN_CONSUMER),
                "known_consumers without the kind unknown_consumer: add the kind, or omit known_consumers");
        // Without a list of known consumers, no consumer can be unknown.
        if (known == null) {
            kinds.remove(FindingKind.UNKNOWN_CONSUMER);
        }
        Json.require(!kinds.isEmpty(), "no kinds are left to look for: unknown_consumer needs known_consumers");
        var list = known == null ? null : new AuditRequest.KnownConsumers(known, from, until, settledSeconds);
        return new AuditRequest(kinds, perKindMax, list, apply);
    }

    private void member(String name) throws IOException {
        Json.require(seen.add(name), "a member is given twice");
        json.nextToken();
        switch (name) {
            case "kinds" -> kinds = kinds();
            case "limit" -> perKindMax = number(name, 1, AuditRequest.PER_KIND_MAX);
            case "settled_seconds" -> settledSeconds = number(name, 0, Integer.MAX_VALUE);
            case "known_consumers" -> known = uuids();
            case "known_from" -> from = uuid(name);
            case "known_until" -> until = uuid(name);
            case "apply" -> apply = apply();
            default -> throw ApiException.badRequest("JSON does not validate: an unknown member"
                    + NearNames.of(name, MEMBERS).stream().findFirst().map(near -> ", did you mean " + near + "?")
                            .orElse("; known are " + String.join(", ", MEMBERS)));
        }
    }

    private UUID[] uuids() throws IOException {
        Json.require(json.currentToken() == JsonToken.START_ARRAY, "known_consumers is not a list");
        List<UUID> all = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            Json.require(all.size() < AuditRequest.KNOWN_MAX, "known_consumers has more than " + AuditRequest.KNOWN_MAX
                    + " uuids: ask range by range, with known_from and known_until");
            all.add(uuid("known_consumers"));
        }
        return all.toArray(UUID[]::new);
    }

    private UUID uuid(String name) throws IOException {
        UUID uuid = json.currentToken() == JsonToken.VALUE_STRING ? UuidText.parseLenient(json.getText()) : null;
        return Json.requirePresent(uuid, name + " has an item that is not a uuid");
    }

    private int number(String name, int min, int max) throws IOException {
        boolean fits = json.currentToken() == JsonToken.VALUE_NUMBER_INT
                && json.getNumberType() == JsonParser.NumberType.INT
                && json.getIntValue() >= min && json.getIntValue() <= max;
        Json.require(fits, name + " is not an integer from " + min + " to " + max);
        return json.getIntValue();
    }

    private Set<FindingKind> kinds() throws IOException {
        Set<FindingKind> all = EnumSet.noneOf(FindingKind.class);
        for (String name : texts("kinds", 100)) {
            all.add(Json.requirePresent(FindingKind.find(name), "an unknown kind"));
        }
        Json.require(!all.isEmpty(), "kinds is empty");
        return all;
    }

    private AuditRequest.Apply apply() throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING && json.getText().equals("all")) {
            return new AuditRequest.Apply.All();
        }
        return new AuditRequest.Apply.Only(new HashSet<>(texts("apply", IDS_MAX)));
    }

    private List<String> texts(String name, int countMax) throws IOException {
        Json.require(json.currentToken() == JsonToken.START_ARRAY, name + " is not a list");
        List<String> all = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            Json.require(json.currentToken() == JsonToken.VALUE_STRING, name + " has an item that is not a string");
            Json.require(all.size() < countMax, name + " has more than " + countMax + " elements");
            Json.refuseUnstorable(json.getText());
            all.add(json.getText());
        }
        return all;
    }

}
