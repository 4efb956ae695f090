package io.berth.placement.query;

import io.berth.model.Microversion;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The parameter {@code member_of}: aggregates that are required or forbidden. The forms of a value are {@code A},
 * {@code in:A,B}, {@code !A} and {@code !in:A,B}.
 *
 * @param memberOf distinct sets of aggregates; membership in at least one aggregate of each set is required
 * @param forbidden aggregates in which membership is forbidden
 */
public record MemberOfParameter(List<Set<UUID>> memberOf, Set<UUID> forbidden) {
    public MemberOfParameter {
        memberOf = memberOf.stream().distinct().toList();
    }

    /** The syntax of the parameter, which depends on the microversion. */
    public enum Syntax {
        /** The parameter may be given once. */
        SINGLE,
        /** The parameter may be repeated, and all values must be satisfied (from 1.24). */
        REPEATED,
        /** Also allows forbidden aggregates (from 1.32). */
        WITH_FORBIDDEN;

        /** Returns the syntax of a microversion. */
        public static Syntax at(Microversion version) {
            return version.atLeast(32) ? WITH_FORBIDDEN : version.atLeast(24) ? REPEATED : SINGLE;
        }
    }

    /**
     * Parses all values of one parameter.
     *
     * @param suffix the suffix of the parameter's name, for messages; empty for an unsuffixed group
     * @throws ApiException 400 for an invalid value
     */
    public static MemberOfParameter parse(List<String> values, String suffix, Syntax syntax) {
        if (syntax == Syntax.SINGLE && values.size() > 1) {
            throw ApiException.badRequest("Multiple member_of" + suffix + " parameters are not supported");
        }
        List<Set<UUID>> memberOf = new ArrayList<>();
        Set<UUID> forbidden = new LinkedHashSet<>();
        for (String value : values) {
            if (value.startsWith("!")) {
                Set<UUID> excluded = value.startsWith("!in:")
                        ? parseList(value.substring(4))
                        : parseSingle(value.substring(1), value);
                if (syntax != Syntax.WITH_FORBIDDEN) {
                    throw ApiException.badRequest("Forbidden member_of" + suffix
                            + " parameters are not supported in the specified microversion");
                }
                forbidden.addAll(excluded);
            } else {
                memberOf.add(value.startsWith("in:") ? parseList(value.substring(3)) : parseSingle(value, value));
            }
        }
        return new MemberOfParameter(memberOf, forbidden);
    }

    /**
     * Parses a value without {@code in:}, which must be one aggregate.
     *
     * @param text the value without its exclamation mark
     * @param value the whole value, for the message
     */
    private static Set<UUID> parseSingle(String text, String value) {
        if (text.indexOf(',') >= 0) {
            throw ApiException.badRequest(
                    "Multiple values for 'member_of' must be prefixed with the 'in:' or '!in:' keyword "
                            + "using the valid microversion. Got: " + value);
        }
        return parseList(text);
    }

    private static Set<UUID> parseList(String texts) {
        Set<UUID> uuids = new LinkedHashSet<>();
        for (String text : texts.split(",", -1)) {
            if (!Schema.isUuidLike(text)) {
                throw ApiException.badRequest(
                        "Invalid query string parameters: Expected 'member_of' parameter to contain "
                                + "valid UUID(s). Got: " + text);
            }
            uuids.add(UuidText.parseLenient(text));
        }
        return uuids;
    }
}
