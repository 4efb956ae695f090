package io.berth.placement.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.NearNames;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.ErrorCode;
import io.berth.placement.http.Json;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A value in a JSON body of Berth's own routes, with its path, such as {@code changes[3].inventory.provider}. Methods
 * refuse an invalid value with an {@link ApiException} of status 400 (413 for a list that is too long), whose message
 * begins with the path. {@link #find} and the methods based on it treat a member that is null as absent.
 *
 * @param path the path of the value; empty for the body itself
 * @param name the name of the member; empty if the value is an element of a list, or the body
 */
public record JsonAt(JsonNode node, String path, String name) {
    /** The most characters of a value in a message; a longer value is cut, and dots are appended. */
    private static final int EXCERPT_MAX = 100;

    /**
     * Parses a body.
     *
     * @throws ApiException 400 for invalid JSON
     */
    public static JsonAt body(byte[] body) {
        return new JsonAt(Json.parse(body), "", "");
    }

    /** Returns this value, which must be an object whose members all have one of these names. Members may be absent. */
    public JsonAt object(String... allowed) {
        require(node.isObject(), "is not an object");
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            String name = member.getKey();
            List<String> names = List.of(allowed);
            if (!names.contains(name)) {
                throw at(excerpt(name), node).refused("an unknown member" + NearNames.of(name, names).stream()
                        .findFirst()
                        .map(near -> ", did you mean " + near + "?")
                        .orElse("; known are " + String.join(", ", allowed)));
            }
        }
        return this;
    }

    /** Returns the only member of this object, which must have exactly one member, with one of these names. */
    public JsonAt onlyMember(String... allowed) {
        return object(allowed).exactlyOneOf(allowed);
    }

    /**
     * Returns the member of this object that has one of these names; exactly one such member must be present. Members
     * with other names are ignored.
     */
    public JsonAt exactlyOneOf(String... allowed) {
        List<JsonAt> members = new ArrayList<>();
        for (String name : allowed) {
            JsonAt member = find(name);
            if (member != null) {
                members.add(member);
            }
        }
        require(members.size() == 1, "must have exactly one of " + String.join(", ", allowed));
        return members.getFirst();
    }

    /** Returns a member; null if it is absent. */
    public @Nullable JsonAt find(String member) {
        JsonNode found = node.get(member);
        return found == null || found.isNull() ? null : at(member, found);
    }

    /** Returns a member, which must be present. */
    public JsonAt get(String member) {
        JsonAt found = find(member);
        if (found == null) {
            throw at(member, node).refused("is missing");
        }
        return found;
    }

    private JsonAt at(String member, JsonNode value) {
        return new JsonAt(value, path.isEmpty() ? member : path + "." + member, member);
    }

    /**
     * Returns the elements of this value, which must be a list.
     *
     * @throws ApiException 413 for a list with more than {@code max} elements
     */
    public List<JsonAt> list(int max) {
        require(node.isArray(), "is not a list");
        if (node.size() > max) {
            throw new ApiException(
                    413, ErrorCode.UNDEFINED,
                    path + ": has " + node.size() + " elements; at most " + max + " are allowed");
        }
        List<JsonAt> all = new ArrayList<>(node.size());
        for (int i = 0; i < node.size(); i++) {
            all.add(new JsonAt(node.get(i), path + "[" + i + "]", ""));
        }
        return all;
    }

    /** Returns the members of this value, which must be an object. */
    public List<JsonAt> members() {
        require(node.isObject(), "is not an object");
        return node.properties().stream().map(member -> at(member.getKey(), member.getValue())).toList();
    }

    /** Returns this value, which must be a string of 1 to {@code lengthMax} characters. */
    public String text(int lengthMax) {
        require(node.isTextual() && !node.textValue().isEmpty(), "must be a string that is not empty");
        require(node.textValue().length() <= lengthMax, "is longer than " + lengthMax + " characters");
        return node.textValue();
    }

    /** Returns this value, which must be a uuid in any form that {@link UuidText#parseLenient} accepts. */
    public UUID uuid() {
        UUID uuid = node.isTextual() ? UuidText.parseLenient(node.textValue()) : null;
        if (uuid == null) {
            throw refused(excerpt() + " is not a uuid");
        }
        return uuid;
    }

    /** Returns this value, which must be a boolean. */
    public boolean flag() {
        require(node.isBoolean(), excerpt() + " is not true or false");
        return node.booleanValue();
    }

    /** Returns this value, which must be an integer from {@code min} to {@code max}. */
    public long integer(long min, long max) {
        boolean fits = node.isIntegralNumber() && node.canConvertToLong() && node.longValue() >= min
                && node.longValue() <= max;
        require(fits, excerpt() + " is not an integer from " + min + " to " + max);
        return node.longValue();
    }

    /** Returns this value, which must be a number from {@code min} to {@code max}. */
    public double number(double min, double max) {
        require(node.isNumber() && node.doubleValue() >= min && node.doubleValue() <= max,
                excerpt() + " is not a number from " + min + " to " + max);
        return node.doubleValue();
    }

    /** Returns this value as JSON for a message, cut to {@value #EXCERPT_MAX} characters. */
    public String excerpt() {
        return excerpt(node.toString());
    }

    private static String excerpt(String text) {
        return text.length() <= EXCERPT_MAX ? text : text.substring(0, EXCERPT_MAX) + "...";
    }

    /** Returns a 400 with the path of this value, for the caller to throw. */
    public ApiException refused(String reason) {
        return ApiException.badRequest(prefix() + reason);
    }

    /** Returns a 404 with the path of this value, for the caller to throw. */
    public ApiException notFound(String reason) {
        return ApiException.notFound(prefix() + reason);
    }

    /** Returns the same refusal, with the path of this value before its message. */
    public ApiException refused(ApiException reason) {
        return new ApiException(reason.status(), reason.code(), prefix() + reason.getMessage());
    }

    private String prefix() {
        return path.isEmpty() ? "the body " : path + ": ";
    }

    private void require(boolean isValid, String message) {
        if (!isValid) {
            throw refused(message);
        }
    }
}
